import { agentEvent, customEvent } from '../src/activity/index.ts'
import { frameText, joinPrelude, threadMessages } from 'throughline/agui'
import type { LogRecord, NewEvent, Origin } from 'throughline/log'
import type { Benchmark } from './benchmark.ts'
import { costAtMost, yieldsAll } from './goals.ts'

const MESSAGES = 10_000
const PRELUDE_MAX_NS = 100e6
const THREAD = 'thread-1'
const TEXT = 'A sentence of the usual length, as agents and people say them. '

/** A client joins a long conversation. */
export const agui: readonly Benchmark[] = [
  {
    id: 'T4',
    what: `the prelude of a thread of ${MESSAGES.toLocaleString('en')} messages, from its records`,
    unit: 'prelude',
    units: 1,
    yields: 'messages',
    run: () => {
      const records = conversation()
      return () => {
        const { frames } = joinPrelude(records, { thread: THREAD, runId: 'run' })
        const text = frames.map(frameText).join('')
        return text.split('"role":').length - 1
      }
    },
    limit: {
      name: 'the messages, JSON.stringify',
      prepare: () => {
        const messages = threadMessages(conversation())
        return () => JSON.stringify(messages).split('"role":').length - 1
      },
    },
    peers: [],
    goals: [costAtMost(PRELUDE_MAX_NS), yieldsAll(MESSAGES)],
  },
]

function conversation(): readonly LogRecord[] {
  const events = Array.from({ length: MESSAGES / 2 }, (_, turn) =>
    turnEvents(`turn-${turn}`),
  ).flat()
  return events.map((event, seq) => ({
    origin: { source: 'system', depth: 0 },
    ...event,
    seq,
    id: `record-${seq}`,
    thread: THREAD,
    ts: 1_700_000_000_000 + seq,
    v: 1,
    prev: '',
    hash: '',
  }))
}

function turnEvents(turn: string): readonly NewEvent[] {
  const agent: Origin = {
    source: 'model',
    agent: 'desk',
    path: ['desk'],
    depth: 0,
    run: turn,
    turn,
  }
  const [asked, answered] = [`${turn}-asked`, `${turn}-answered`]
  const names = { threadId: THREAD, runId: turn }
  return [
    agentEvent('RUN_STARTED', names, agent),
    agentEvent('TEXT_MESSAGE_START', { messageId: asked, role: 'user' }, agent),
    agentEvent('TEXT_MESSAGE_CONTENT', { messageId: asked, delta: TEXT }, agent),
    agentEvent('TEXT_MESSAGE_END', { messageId: asked }, agent),
    agentEvent('STEP_STARTED', { stepName: 'model:1' }, agent),
    agentEvent('TEXT_MESSAGE_START', { messageId: answered, role: 'assistant' }, agent),
    ...Array.from({ length: 3 }, () =>
      agentEvent('TEXT_MESSAGE_CONTENT', { messageId: answered, delta: TEXT }, agent),
    ),
    agentEvent('TEXT_MESSAGE_END', { messageId: answered }, agent),
    customEvent('model_output', { finishReason: 'stop', usage: { inputTokens: 9 } }, agent),
    agentEvent('STEP_FINISHED', { stepName: 'model:1' }, agent),
    agentEvent('RUN_FINISHED', { ...names, outcome: { type: 'success' } }, agent),
  ]
}
