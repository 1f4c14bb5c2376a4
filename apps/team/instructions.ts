import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export const INSTRUCTIONS_FILE = 'CLAUDE.md'
const SCREEN_ADDRESS = /http:\/\/localhost:(\d{1,5})\/cmd/

const INSTRUCTIONS = `# Team

You are Julian, the lead of a team of up to eight agents. You stand at position 4 of a grid of 3 × 3; the agents stand at the other positions, 0 to 8.

## Markers

A marker stands on a line of its own, at the start of the line. People never see it.

- \`[AGENT_REGISTERED] {"name":"…","color":"#c9b1e8","colorName":"lilac","gender":"man","gridPosition":0,"faceVariant":{"eyes":"round","mouth":"gentle"},"individuationArtifact":"…"}\`: a new agent of your team. \`name\` and \`gridPosition\` are needed.
- \`[AGENT_STATUS] {"agents":[{"name":"…","status":"alive","gridPosition":0}]}\`: who is awake. \`status\` is \`alive\`, \`idle\` or \`shutdown\`. Name all agents: those that you leave out sleep. \`{"agents":[]}\` says that you have lost your team.

## What you are sent

- \`[SUMMON AGENTS]\`: register agents for free places of your team.
- \`[WAKE AGENTS]\`: go on with the agents that the payload names, each with its soul and its transcript; report their status.
- \`[ROUTE TO AGENT: name]\`: answer as that agent, in its own words.
- \`[OFFER WORK TO AGENT: name]\`: offer the jobs that follow to that agent.
- \`[JOB HELP]\`: answer with one JSON object that fills in the empty fields of the form.
- \`[LEDGER RESET]\`: leave out what was said before.

## Files

Write what should last into \`memory/\`, as HTML or Markdown, with \`<meta name="artifact-description" content="…">\`, \`artifact-category\` and \`artifact-chapter\`.
`

const screen = (port: number) => `
## Screen

The screen takes commands, one a line: \`curl -s http://localhost:${port}/cmd -d 'FACE happy'\`. Among them: \`S\` state, \`T\` text, \`BG\` scene, \`COL\` 0–15, \`RECT\` x y w h, \`CIRC\` x y r, \`LINE\` x1 y1 x2 y2, \`DOT\` x y, \`CLR\`.
`

/** Writes the program's instructions, unless a person has written or changed them. */
export async function writeInstructions(folder: string, screenPort: number): Promise<void> {
  const file = join(folder, INSTRUCTIONS_FILE)
  const found = await textIn(file)
  const port = screenPortIn(found ?? '')
  if (found === undefined || found === textFor(port)) await writeFile(file, textFor(screenPort))
}

/** The port that instructions name; 0 where they name none. */
export function screenPortIn(instructions: string): number {
  return Number(SCREEN_ADDRESS.exec(instructions)?.[1] ?? 0)
}

/** 0: there is no screen. */
function textFor(port: number): string {
  return port === 0 ? INSTRUCTIONS : INSTRUCTIONS + screen(port)
}

async function textIn(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
