import { existsSync, readFileSync } from 'node:fs'
import type { Script, ScriptStep } from 'throughline/programs'
import { startOf } from 'throughline/client'
import { INSTRUCTIONS_FILE, screenPortIn } from './instructions.ts'

const REGISTRATIONS = [
  {
    name: 'Lyra',
    gridPosition: 0,
    gender: 'woman',
    faceVariant: { eyes: 'round', mouth: 'gentle' },
  },
  {
    name: 'Orion',
    gridPosition: 2,
    gender: 'man',
    faceVariant: { eyes: 'narrow', mouth: 'straight' },
  },
  {
    name: 'Vega',
    gridPosition: 6,
    gender: 'woman',
    faceVariant: { eyes: 'wide', mouth: 'cheerful' },
  },
]

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="artifact-description" content="What the team agreed on">
<meta name="artifact-category" content="knowledge">
<title>Plan</title><h1>Plan</h1><p>Lyra looks for sources, Orion reckons, Vega writes.</p></html>`

const DELETE = {
  name: 'Bash',
  input: { command: 'rm memory/plan.html' },
  result: '',
  asks: true,
}

/** The program of the demonstration: plays the lead by its prompts alone. */
export const script: Script = (prompts) => prompts.flatMap(stepsFor)

function stepsFor(prompt: string): readonly ScriptStep[] {
  if (prompt.startsWith('{"play":')) {
    return (JSON.parse(prompt) as { readonly play: readonly ScriptStep[] }).play
  }
  const routed = /^\[ROUTE TO AGENT: ([^\]]+)\] ([^]*)$/.exec(prompt)
  if (routed) return [{ text: `${routed[1]} here. You asked: ${routed[2]}` }]
  if (prompt.startsWith('[SUMMON AGENTS]')) return [...summon(prompt), ...screen('FACE happy')]
  if (prompt.startsWith('[WAKE AGENTS]')) return wake(prompt)
  if (prompt.startsWith('[OFFER WORK')) return [{ text: 'I have passed the offer on.' }]
  if (prompt.startsWith('[JOB HELP]')) {
    return [{ text: '{"description":"Reads what comes in and answers the same day."}' }]
  }
  if (prompt.startsWith('[LEDGER RESET]')) return [{ text: 'We begin anew.' }]
  return answer(prompt)
}

function answer(prompt: string): readonly ScriptStep[] {
  const words = prompt.toLowerCase()
  if (words.includes('greet'))
    return [{ text: 'Hello. Summon your agents, or tell me what you need.' }]
  if (words.includes('delete') || words.includes('remove')) {
    return [{ tool: DELETE }]
  }
  if (words.includes('write') || words.includes('plan')) {
    return [
      { text: 'I write it down.' },
      write('memory/plan.html', PAGE),
      { text: 'It is in plan.html.' },
    ]
  }
  if (words.includes('draw')) {
    const drawn = screen('BG night\nCOL 10\nCIRC 480 120 40\nT Good night')
    return drawn.length > 0 ? drawn : [{ text: 'I have no screen to draw on.' }]
  }
  return [{ text: `You said: ${startOf(prompt.trim(), 2_000)}` }]
}

function summon(prompt: string): readonly ScriptStep[] {
  const missing = REGISTRATIONS.filter(({ gridPosition }) => !prompt.includes(` ${gridPosition} (`))
  if (missing.length === 0) return [{ text: 'I know of no more agents.' }]
  const lines = missing.map((agent) => `[AGENT_REGISTERED] ${JSON.stringify(agent)}`)
  return [{ text: ['Here is your team.', ...lines].join('\n') }]
}

function wake(prompt: string): readonly ScriptStep[] {
  const named = [...prompt.matchAll(/<agent name="([^"]+)"[^>]{0,1000} position="(\d)"/g)]
  const agents = named.map(([, name, position]) => ({
    name,
    gridPosition: Number(position),
    status: 'alive',
  }))
  return [{ text: `Good morning.\n[AGENT_STATUS] ${JSON.stringify({ agents })}` }]
}

function write(path: string, content: string): ScriptStep {
  const result = `File created successfully at: ${path}`
  return { tool: { name: 'Write', input: { file_path: path, content }, result } }
}

/** Draws as the instructions in its folder say. */
function screen(commands: string): readonly ScriptStep[] {
  if (!existsSync(INSTRUCTIONS_FILE)) return []
  const port = screenPortIn(readFileSync(INSTRUCTIONS_FILE, 'utf8'))
  if (port === 0) return []
  const command = `curl -s http://localhost:${port}/cmd -d '${commands}'`
  return [{ tool: { name: 'Bash', input: { command }, result: '{"ok":true}' } }]
}
