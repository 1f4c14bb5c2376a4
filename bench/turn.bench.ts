import type { Benchmark, Candidate, Figures, Goal } from './benchmark.ts'
import { OURS } from './benchmark.ts'
import { costAtMost, costBeside, costOver, yieldsAll } from './goals.ts'
import {
  TOOL,
  aiSdk,
  appendsOf,
  modelAlone,
  openAiAgents,
  ourAgent,
  ourTree,
  ours,
  unhashedLog,
} from './turn-engines.ts'
import type { Engine } from './turn-engines.ts'
import type { Script } from './turn-models.ts'

const TURNS = 100
const CHUNKS = 10_000

const APPENDS = 'its appends alone'
const LIMIT = 'doStream read directly'
const AI_SDK = 'streamText'
const OPENAI_AGENTS = 'OpenAI Agents'

const ONE_ANSWER: Script = [{ chunks: ['Page 1 says that all is well.'] }]
const ONE_CALL: Script = [{ tool: TOOL }, ...ONE_ANSWER]
const LONG_ANSWER: Script = [{ chunks: Array.from({ length: CHUNKS }, () => 'abcd') }]

export const turn: readonly Benchmark[] = [
  {
    ...turns('T1 hashed', 'one answer, instant model', ONE_ANSWER),
    goals: [costOver(APPENDS, 150_000), lessAppends(AI_SDK, 0.2), lessAppends(OPENAI_AGENTS, 0.5)],
  },
  {
    ...turns('T1 unhashed', 'the same in a log that hashes nothing', ONE_ANSWER),
    run: times(TURNS, ours(ourAgent(ONE_ANSWER), unhashedLog)),
    goals: [costAtMost(150_000), costBeside(AI_SDK, 0.2), costBeside(OPENAI_AGENTS, 0.5)],
  },
  { ...turns('T1 tool', 'one tool call, one answer', ONE_CALL), goals: [] },
  {
    id: 'T1 tree',
    what: 'agents down to depth 3, instant model',
    unit: 'turn',
    units: TURNS,
    yields: 'characters',
    run: times(TURNS, ours(ourTree(ONE_ANSWER, 3))),
    peers: [named(APPENDS, times(TURNS, appendsOf(ourTree(ONE_ANSWER, 3))))],
    goals: [],
  },
  {
    id: 'T2',
    what: `${CHUNKS.toLocaleString('en')} chunks of 4 characters, model to one subscriber`,
    unit: 'chunk',
    units: CHUNKS,
    yields: 'characters',
    run: times(1, ours(ourAgent(LONG_ANSWER))),
    limit: named(LIMIT, times(1, modelAlone(LONG_ANSWER))),
    peers: [
      named(AI_SDK, times(1, aiSdk(LONG_ANSWER))),
      named(OPENAI_AGENTS, times(1, openAiAgents(LONG_ANSWER))),
    ],
    goals: [yieldsAll(CHUNKS * 4), costAtMost(5_000)],
  },
]

function turns(id: string, what: string, script: Script): Omit<Benchmark, 'goals'> {
  return {
    id,
    what,
    unit: 'turn',
    units: TURNS,
    yields: 'characters',
    run: times(TURNS, ours(ourAgent(script))),
    limit: named(LIMIT, times(TURNS, modelAlone(script))),
    peers: [
      named(APPENDS, times(TURNS, appendsOf(ourAgent(script)))),
      named(AI_SDK, times(TURNS, aiSdk(script))),
      named(OPENAI_AGENTS, times(TURNS, openAiAgents(script))),
    ],
  }
}

/** Made anew each time, so that no run works beside what all before it have stored. */
function times(count: number, engine: Engine): Candidate['prepare'] {
  return () => async () => {
    const ask = engine()
    let characters = 0
    for (let asked = 0; asked < count; asked++) characters += await ask()
    await ask.close?.()
    return characters
  }
}

function named(name: string, prepare: Candidate['prepare']): Candidate {
  return { name, prepare }
}

/** A peer keeps nothing, so what ours spends on keeping does not count. */
function lessAppends(peer: string, times: number): Goal {
  const costOf = (figures: Figures, name: string) => figures.get(name)?.costPerUnit ?? Number.NaN
  return {
    text: `less ${APPENDS} ≤ ${times} × ${peer}`,
    isMet: (figures) =>
      costOf(figures, OURS) - costOf(figures, APPENDS) <= times * costOf(figures, peer),
  }
}
