import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { expect } from 'vitest'
import type { Agent } from './define/agent.ts'
import type { LanguageModel, ScriptedAnswer, ScriptedCall, ScriptedReply } from '../models/index.ts'
import { scriptedModel } from '../models/index.ts'
import { brokenRules } from '../activity/wire-rules.fixture.ts'
import { schemaFaults, wireEvents } from '../activity/wire-schema.fixture.ts'
import type { CallerEvent } from '../activity/index.ts'
import { defineDomain } from '../domain/index.ts'
import type { Domain } from '../domain/index.ts'
import { Gate } from '../gate/index.ts'
import type { EventLog } from '../log/index.ts'
import type { Json } from '../json/index.ts'
import { Runs } from './index.ts'
import type { AgentTurn, RunsParts } from './index.ts'
import { id, memoryLog, recordsOf, sha256 } from '../../test/memory-log.fixture.ts'

export type Settings<State> = Partial<Omit<RunsParts<State>, 'agents' | 'gate'>> & {
  readonly domain?: Domain<State>
}

/** Agents at work on a real log, in the thread `t`. */
export function withAgents<State = Json>(
  agents: readonly Agent<State>[],
  { domain = talk<State>(), log = memoryLog(), ...more }: Settings<State> = {},
) {
  const gate = new Gate<State>({ log, domain, sha256, now: Date.now, id })
  const runs = new Runs<State>({ gate, log, agents, id, sha256, retryDelayMs: 0, ...more })
  return {
    log,
    gate,
    runs,
    /** Asks the first agent, or another by name. */
    ask: (input: string, agent = agents[0]?.name ?? ''): AgentTurn<State> =>
      runs.start('t', { agent, input }),
    resume: (run: string, values: Readonly<Record<string, Json>>): AgentTurn<State> =>
      runs.resume('t', { run, values }),
    records: () => recordsOf(log, 't'),
  }
}

/** A domain without events: agents only talk. */
function talk<State>(): Domain<State> {
  // Nothing ever changes it.
  const domain: unknown = defineDomain<object>().domain({ name: 'talk', initial: {}, events: {} })
  return domain as Domain<State>
}

export async function eventsOf(turn: AsyncIterable<CallerEvent>): Promise<readonly CallerEvent[]> {
  const events: CallerEvent[] = []
  for await (const event of turn) events.push(event)
  return events
}

/** Events of one type, typed by it. */
export function only<Type extends CallerEvent['type']>(
  events: readonly CallerEvent[],
  type: Type,
): readonly (CallerEvent & { readonly type: Type })[] {
  return events.filter((event): event is CallerEvent & { type: Type } => event.type === type)
}

/** `agent/depth type` of each event: a whole turn at a glance. */
export function glance(events: readonly CallerEvent[]): readonly string[] {
  return events.map(({ agent, depth, type }) => `${agent}/${depth} ${type}`)
}

/** Returns the violations of AG-UI's schemas and rules in the thread's stream. */
export async function wireFaults(log: EventLog): Promise<readonly string[]> {
  const events = wireEvents(await recordsOf(log, 't'))
  return [...events.flatMap(schemaFaults), ...brokenRules(events)]
}

/** Replies in turn, the last one for ever. */
export function replies(
  ...list: readonly (ScriptedReply | ((call: ScriptedCall) => ScriptedReply))[]
) {
  return scriptedModel((call) => {
    const reply = list[Math.min(call.index, list.length - 1)] ?? ''
    return typeof reply === 'function' ? reply(call) : reply
  })
}

/** A model whose calls are kept. */
export function overheard(model: LanguageModelV4) {
  const calls: LanguageModelV4CallOptions[] = []
  const heard: LanguageModelV4 = {
    ...model,
    doStream: (options) => {
      calls.push(options)
      return model.doStream(options)
    },
  }
  return { model: heard, calls }
}

/** A model that streams pieces of text and then ends, or never does. */
export function streamingModel(
  pieces: readonly string[],
  then: 'ends' | 'never ends',
): LanguageModel {
  const model = scriptedModel(() => '')
  model.doStream = async () => ({
    stream: new ReadableStream<LanguageModelV4StreamPart>({
      start(controller) {
        controller.enqueue({ type: 'text-start', id: '0' })
        for (const delta of pieces) controller.enqueue({ type: 'text-delta', id: '0', delta })
        if (then === 'never ends') return
        controller.enqueue({ type: 'finish', usage: NO_COUNTS, finishReason: STOP })
        controller.close()
      },
    }),
  })
  return model
}

const STOP = { unified: 'stop', raw: 'stop' } as const

/** The usage of a provider that reports no counts. */
export const NO_COUNTS = {
  inputTokens: {
    total: undefined,
    noCache: undefined,
    cacheRead: undefined,
    cacheWrite: undefined,
  },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}

/** An answer that calls tools, with the ids that users' mocks give: the same ones each time. */
export function calling(...calls: readonly (readonly [name: string, input?: unknown])[]) {
  return {
    toolCalls: calls.map(([name, input = {}], index) => ({
      name,
      input,
      id: `call-${index + 1}`,
    })),
  } satisfies ScriptedAnswer
}

/** Every run that started has ended once, and the stream is AG-UI's. */
export async function expectWhole(log: EventLog): Promise<void> {
  const records = await recordsOf(log, 't')
  const open = new Map<string, number>()
  for (const { type, origin } of records) {
    const run = origin.run ?? ''
    if (/^(RUN|SUBAGENT)_STARTED$/.test(type)) open.set(run, (open.get(run) ?? 0) + 1)
    if (/^(RUN|SUBAGENT)_(FINISHED|ERROR)$/.test(type)) open.set(run, (open.get(run) ?? 0) - 1)
  }
  expect([...open].filter(([, count]) => count !== 0)).toEqual([])
  expect(await wireFaults(log)).toEqual([])
  expect(await log.verify('t')).toMatchObject({ ok: true })
}
