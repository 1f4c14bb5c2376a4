import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { anthropicServer } from '../test/models/anthropic-server.fixture.ts'
import { bareEnvironment } from '../test/server-process.fixture.ts'

/** Runs an example with the command in its first lines; returns its output. */
async function printed(example: string, env: Readonly<Record<string, string>> = {}) {
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, [`examples/${example}`], {
    env: { ...bareEnvironment(), ...env },
  })
  return stdout
}

/** The lines that an event of the tree was printed on, with their indentation. */
function lines(story: string, text: string): readonly number[] {
  return story.split('\n').flatMap((line, at) => (line.startsWith(text) ? [at] : []))
}

function indent(depth: number): string {
  return '    '.repeat(depth)
}

test('[C002] [C003] [C004] [C014] [C030] [C031] one agent: words, a tool at work, a second turn', async () => {
  const story = await printed('one-agent.ts')
  expect(story.replaceAll(/\d+ (in|out)\b/g, 'n $1')).toBe(`you: How many lamps do we have?
Let me count.
  count_stock {"article":"lamps"}
  … "counting \\"lamps\\""
  … {"shelf":"A","found":4,"pieces":4}
  … {"shelf":"B","found":0,"pieces":4}
  … {"shelf":"C","found":8,"pieces":12}
  = {"shelf":"C","found":8,"pieces":12}
This is what I found: {"shelf":"C","found":8,"pieces":12}
[success: 2 calls, n in, n out]

you: What did I ask you first?
Your first question was: "How many lamps do we have?"
[success: 1 calls, n in, n out]

`)
})

test('a client of MCP asks the desk, gets its progress, and approves the refund in a form', async () => {
  const story = await printed('mcp/client/client.ts')
  expect(story).toContain('tools: ask_desk, answer_desk')
  expect(story).toContain('Refund £40? yes')
  expect(story).toContain("text: 'Refunded £40. Anything else?'")
  expect(story).toContain('"state":{"refunded":40}')
})

const tree = printed('agent-tree.ts')

test('[C011] [C015] [C016] [C018] [C022] a tree of agents: every level shows itself to the caller', async () => {
  const story = await tree
  const depths = { planner: 0, travel: 1, trains: 2, rooms: 2, timetable: 3 }
  for (const [agent, depth] of Object.entries(depths)) {
    expect(lines(story, `${indent(depth)}${agent}: prompt_started`)).toHaveLength(1)
    expect(lines(story, `${indent(depth)}${agent}: turn_end`)).toHaveLength(1)
  }
  expect(story).toContain('Your weekend: Take the 9:12. The Lighthouse has a room above the sea.')
})

test('[C021] two that are asked at once show themselves while both still work', async () => {
  const story = await tree
  const [trains = 0] = lines(story, `${indent(2)}trains: turn_end`)
  const [rooms = 0] = lines(story, `${indent(2)}rooms: chat_output`)
  const [asked = 0] = lines(story, `${indent(2)}trains: prompt_started`)
  expect(asked).toBeLessThan(rooms)
  expect(rooms).toBeLessThan(trains)
})

test('[C008] usage by agent and by model adds up to the same', async () => {
  const story = await tree
  const used = [...story.matchAll(/^(\S+): (\d+) calls, (\d+) in, (\d+) out, \$(\S+)$/gm)]
  const sum = (names: readonly string[], column: number) =>
    used.reduce(
      (total, row) => total + (names.includes(String(row[1])) ? Number(row[column]) : 0),
      0,
    )
  const agents = ['planner', 'travel', 'trains', 'rooms', 'timetable']
  const models = ['throughline/large', 'throughline/small']
  expect(new Set(used.map(([, name]) => name))).toEqual(new Set([...agents, ...models]))
  for (const column of [2, 3, 4]) expect(sum(agents, column)).toBe(sum(models, column))
  expect(sum(agents, 5)).toBeCloseTo(sum(models, 5), 5)
})

test('[C024] [C025] [C026] [C027] [C028] a pipeline keeps its caller and its depth', async () => {
  const story = await printed('pipeline.ts')
  expect(story).toMatch(/^archivist \(depth 0\): It was.+\narchivist \(depth 0\) was stopped\n/m)
  expect(story).toMatch(/\n\[cancelled\] on record: "It was.+"\n$/)
  expect(story.slice(0, story.indexOf('archivist (')).split('\n')).toEqual(
    `writer (depth 0): Closed on Monday.
writer (depth 0) used handoff_to_editor
writer (depth 0) is done: handoff
editor (depth 0) asks: Run publish({"notice":"Closed on Monday."})?
you: yes
editor (depth 0) used publish
editor (depth 0): It is out.
editor (depth 0) used handoff_to_archivist
editor (depth 0) is done: handoff
`.split('\n'),
  )
})

test('the same example asks a real model when there is one', async () => {
  const asked: number[] = []
  const provider = await anthropicServer(({ body }) => {
    asked.push(body.messages.length)
    return 'Twelve lamps.'
  })
  const story = await printed('one-agent.ts', {
    MODEL: 'anthropic/claude-sonnet-5-5',
    ANTHROPIC_API_KEY: 'not-a-key',
    ANTHROPIC_BASE_URL: provider.baseUrl,
  })
  provider.close()
  expect(story).toMatch(/^Twelve lamps\.\n\[success: 1 calls, \d+ in, \d+ out\]$/m)
  expect(asked).toEqual([1, 3])
})
