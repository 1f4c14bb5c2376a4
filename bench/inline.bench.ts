import { agentText, awkwardText, chunksOf, timedText } from './agent-text.fixture.ts'
import type { Benchmark, Candidate, Goal } from './benchmark.ts'
import { costAtMost, costBeside, faster, shareOf, yieldsAll } from './goals.ts'
import { HOSTILE, hostileText } from './hostile-text.fixture.ts'
import type { HostileText } from './hostile-text.fixture.ts'
import {
  readWithAiSdk,
  readWithHtmlparser2,
  readWithOurs,
  readWithRegExp,
  readWithSaxes,
  searchAndJoin,
} from './tag-readers.ts'
import type { TagReader } from './tag-readers.ts'

const LENGTH = 1_000_000
/** Longer than the text, which ends with a whole sentence. */
const WHOLE = 2 * LENGTH
const AWKWARD_LENGTH = 100_000
const TOKEN = 4
const LIMIT = 'indexOf + concatenate'
const QUARTERS = 'in quarters'

/** `percent` is the share of all characters that are in tags. */
interface Stream {
  readonly size: number
  readonly percent: number
}

export const inline: readonly Benchmark[] = [
  streamed('P1', { size: TOKEN, percent: 1 }, [shareOf(LIMIT, 0.6), faster('htmlparser2', 2)]),
  streamed('P2', { size: TOKEN, percent: 10 }, [shareOf(LIMIT, 0.5), faster('htmlparser2', 1.6)]),
  streamed('P2', { size: TOKEN, percent: 30 }, [shareOf(LIMIT, 0.4), faster('htmlparser2', 1.6)]),
  timed(),
  streamed('P3', { size: 64, percent: 1 }, [shareOf(LIMIT, 0.6), faster('htmlparser2', 3.2)]),
  streamed('P3', { size: 64, percent: 10 }, [faster('htmlparser2', 1.9)]),
  streamed('P3', { size: 64, percent: 30 }, [faster('htmlparser2', 1.7)]),
  streamed('P4', { size: WHOLE, percent: 1 }, [faster('htmlparser2', 5)]),
  streamed('P4', { size: WHOLE, percent: 10 }, [faster('htmlparser2', 2.4)]),
  streamed('P4', { size: WHOLE, percent: 30 }, [faster('htmlparser2', 1.5)]),
  awkward(),
  ...HOSTILE.map(hostile),
]

function streamed(goal: string, { size, percent }: Stream, goals: readonly Goal[]): Benchmark {
  const chunks = () => chunksOf(agentText(LENGTH, percent / 100).text, size)
  return {
    id: `${goal} ${percent} %`,
    what: `1 MB, ${size < LENGTH ? `${size} characters a chunk` : 'whole'}, ${percent} % in tags`,
    units: LENGTH,
    limit: reading(LIMIT, searchAndJoin, chunks),
    ...besidePeers(chunks),
    goals,
  }
}

function timed(): Benchmark {
  const chunks = () => chunksOf(timedText(LENGTH, 0.1).text, TOKEN)
  return {
    id: 'P2 10 %, times',
    what: `1 MB, ${TOKEN} characters a chunk, 10 % in tags, times and addresses in strings`,
    units: LENGTH,
    limit: reading(LIMIT, searchAndJoin, chunks),
    ...besidePeers(chunks),
    goals: [shareOf(LIMIT, 0.5), faster('htmlparser2', 1.6)],
  }
}

function awkward(): Benchmark {
  const { text, events } = awkwardText(AWKWARD_LENGTH, 0.1)
  return {
    id: 'P8',
    what: 'apostrophes, quotes, > and /> in strings',
    units: AWKWARD_LENGTH,
    ...besidePeers(() => chunksOf(text, TOKEN)),
    goals: [yieldsAll(events.length)],
  }
}

/** Everybody reads the same chunks, each from a copy. */
function besidePeers(chunks: () => readonly string[]) {
  return {
    unit: 'character',
    yields: 'events',
    run: () => countEvents(readWithOurs, chunks()),
    peers: [
      reading('htmlparser2', readWithHtmlparser2, chunks),
      reading('saxes', readWithSaxes, chunks),
      reading('a regular expression', readWithRegExp, chunks),
      reading('ai', readWithAiSdk, chunks),
    ],
  }
}

function reading(name: string, read: TagReader, chunks: () => readonly string[]): Candidate {
  return { name, prepare: () => countEvents(read, chunks()) }
}

function hostile(text: HostileText): Benchmark {
  const chunks = (length: number) => chunksOf(hostileText(text, length), TOKEN)
  return {
    id: `P6 ${text.name}`,
    what: `1 MB, ${TOKEN} characters a chunk`,
    unit: 'character',
    units: LENGTH,
    yields: 'events',
    run: () => countEvents(readWithOurs, chunks(LENGTH)),
    peers: [{ name: QUARTERS, prepare: () => countInQuarters(chunks(LENGTH / 4)) }],
    goals: [costAtMost(100), costBeside(QUARTERS, 1.5)],
  }
}

function countEvents(read: TagReader, chunks: readonly string[]) {
  return () => {
    const reading = read(chunks)
    return reading instanceof Promise ? reading.then(({ events }) => events) : reading.events
  }
}

function countInQuarters(quarter: readonly string[]) {
  return () => {
    let events = 0
    for (let at = 0; at < 4; at++) events += readWithOurs(quarter).events
    return events
  }
}
