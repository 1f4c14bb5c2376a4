import { readFileSync } from 'node:fs'
import type { Benchmark, Run } from './benchmark.ts'
import { costAtMost, sizeAtMost, yieldsAll } from './goals.ts'
import { residentKb, resetPeak } from './resident-memory.ts'
import { fileOf, follow, recordedLines, saidLine, teamServer } from './team-server.ts'
import type { TeamServer } from './team-server.ts'

const TIMES = 500
const LINES = recordedLines(TIMES)
const LINE_MAX_NS = 50_000
const SPOKEN = 200
const SPOKEN_EACH_MS = 5
const FRAME_MAX_NS = 5e6
const EVENTS = 2_000
const TAB_MAX_NS = 500e6
const OUTPUT_LINES = 1_000
const OUTPUT_LINE_CHARS = 100_000
const LAST = 'the last line'

export const teams: readonly Benchmark[] = [
  ...(['memory', 'sqlite'] as const).map((store): Benchmark => ({
    id: `T5 lines ${store}`,
    what: `lines of a recorded session, from the program to the records on ${store}`,
    unit: 'line',
    units: LINES.length,
    yields: 'lines',
    run: lines(store),
    limit: { name: 'JSON.parse alone', prepare: parsed },
    peers: [],
    goals: [yieldsAll(LINES.length), ...(store === 'memory' ? [costAtMost(LINE_MAX_NS)] : [])],
  })),
  {
    id: 'T5 frame',
    what: 'from a line that is written to its frame at a tab, p50, on sqlite',
    unit: 'line',
    units: 1,
    yields: 'lines',
    run: frames,
    peers: [],
    goals: [yieldsAll(SPOKEN), costAtMost(FRAME_MAX_NS)],
  },
  {
    id: 'T5 tab',
    what: `${EVENTS.toLocaleString('en')} events in a new tab, on sqlite`,
    unit: 'tab',
    units: 1,
    yields: 'events',
    run: tab,
    peers: [],
    goals: [yieldsAll(EVENTS), costAtMost(TAB_MAX_NS)],
  },
  {
    id: 'T5 output',
    what: '100 MB that a program prints, more resident memory, on sqlite',
    unit: 'run',
    units: 1,
    yields: 'lines',
    costs: 'KB',
    run: output,
    peers: [],
    goals: [yieldsAll(OUTPUT_LINES), sizeAtMost(64_000)],
  },
]

function lines(store: 'memory' | 'sqlite') {
  return async (): Promise<Run> => {
    const file = fileOf([...LINES, ...lastLines(0)])
    const server = await teamServer(store)
    let position = -1
    return async () => {
      const begun = now()
      const done = untilLast(server, position)
      await server.start({ file })
      position = await done
      const cost = now() - begun
      await server.end()
      return { cost, yielded: LINES.length }
    }
  }
}

function parsed(): Run {
  const text = readFileSync(fileOf(LINES), 'utf8')
  return () => {
    const begun = now()
    let yielded = 0
    for (const line of text.trimEnd().split('\n')) if (JSON.parse(line)) yielded++
    return Promise.resolve({ cost: now() - begun, yielded })
  }
}

/** A program that says the time, again and again, each time followed by another message. */
const CLOCK = `
  console.log(${JSON.stringify(LINES[0])})
  process.stdin.resume()
  const line = ${JSON.stringify(saidLine('TEXT', 0))}
  let at = 0
  const say = (text) => {
    const uuid = '00000000-0000-4000-8000-' + String(++at).padStart(12, '0')
    const own = line.replace(/00000000-[-0-9]+/, uuid).replace('msg_said_0', 'msg_said_' + at)
    console.log(own.replace('TEXT', text))
  }
  setInterval(() => {
    if (at >= 2 * ${SPOKEN}) return
    say('at ' + process.hrtime.bigint() + ' ns')
    say('next')
  }, ${SPOKEN_EACH_MS})`

async function frames(): Promise<Run> {
  const server = await teamServer('sqlite')
  let position = -1
  return async () => {
    const took: number[] = []
    const done = follow(server.url, position, (frame) => {
      const written = /"at (\d+) ns"/.exec(frame)?.[1]
      if (written !== undefined) took.push(now() - Number(written))
      position = Number(/^id: (\d+)/m.exec(frame)?.[1] ?? position)
      return took.length === SPOKEN
    })
    await server.start({ script: CLOCK })
    await done
    await server.end()
    return { cost: took.toSorted((a, b) => a - b)[SPOKEN >> 1] ?? Number.NaN, yielded: took.length }
  }
}

async function tab(): Promise<Run> {
  const server = await teamServer('sqlite')
  const said = Array.from({ length: EVENTS }, (_, at) => saidLine(`line ${at}`, at))
  await started(server, [...said, ...lastLines(EVENTS)])
  return async () => {
    const begun = now()
    let yielded = 0
    await follow(server.url, -1, (frame) => {
      if (frame.includes('"claude_text"')) yielded++
      return yielded === EVENTS
    })
    return { cost: now() - begun, yielded }
  }
}

/** Results of a tool, as a program prints them that reads large files. */
async function output(): Promise<Run> {
  const server = await teamServer('sqlite')
  const file = fileOf(outputLines())
  return async () => {
    globalThis.gc?.()
    const before = residentKb('VmRSS')
    resetPeak()
    const done = untilLast(server, -1)
    await server.start({ file })
    await done
    const cost = residentKb('VmHWM') - before
    await server.end()
    return { cost, yielded: OUTPUT_LINES }
  }
}

function* outputLines(): Iterable<string> {
  yield LINES[0] ?? ''
  for (let at = 0; at < OUTPUT_LINES; at++) {
    yield saidLine(String(at).padEnd(OUTPUT_LINE_CHARS, 'x'), at)
  }
  yield* lastLines(OUTPUT_LINES)
}

function lastLines(at: number): readonly string[] {
  return [saidLine(LAST, at), saidLine('so that it is complete', at + 1)]
}

async function started(server: TeamServer, said: readonly string[]): Promise<void> {
  const done = untilLast(server, -1)
  await server.start({ file: fileOf([LINES[0] ?? '', ...said]) })
  await done
}

/** Resolves with the position of the last line. */
async function untilLast({ url }: TeamServer, after: number): Promise<number> {
  let position = after
  await follow(url, after, (frame) => {
    if (!frame.includes(LAST)) return false
    position = Number(/^id: (\d+)/m.exec(frame)?.[1])
    return true
  })
  return position
}

function now(): number {
  return Number(process.hrtime.bigint())
}
