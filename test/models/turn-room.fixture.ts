import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { defineAgent, scriptedModel } from 'throughline'
import type { Agent, Domain, LanguageModel } from 'throughline'
import { Gate } from '../../src/gate/index.ts'
import type { LogRecord } from 'throughline/log'
import type { TurnInput } from '../../src/agents/index.ts'
import type { EffectRunners } from '../../src/due-work/index.ts'
import { Narration } from './narration.fixture.ts'
import { id, memoryLog, sha256 } from '../memory-log.fixture.ts'

/** Turns over a domain on a log of their own, without a server around them. */
export function turnRoom<State>(domain: Domain<State>, effects: EffectRunners<State> = {}) {
  const log = memoryLog()
  const gate = new Gate<State>({ log, domain, sha256, now: Date.now, id })
  const turns = new Narration<State>({ gate, log, effects, id, sha256, retryDelayMs: 0 })
  return {
    log,
    gate,
    /** Runs a turn, and returns its records. */
    async turn(
      thread: string,
      narrator: Agent<State>,
      input: TurnInput,
    ): Promise<readonly LogRecord[]> {
      const after = await log.head(thread)
      await turns.run(thread, narrator, input)
      const records: LogRecord[] = []
      for await (const batch of log.read(thread, { after })) records.push(...batch)
      return records
    },
  }
}

/** A narrator with a given text, on any surface. */
export function narratorOn<State>(surface: string, model: LanguageModel): Agent<State> {
  return defineAgent<State>({ name: 'narrator', surface, model, notes: () => [] })
}

const DONE: LanguageModelV4StreamPart = {
  type: 'finish',
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: 1, reasoning: undefined },
  },
}

/** A model whose answer comes in exactly these pieces. */
export function inPieces(pieces: readonly string[]): LanguageModel {
  const model = scriptedModel(() => '')
  model.doStream = async () => ({
    stream: new ReadableStream<LanguageModelV4StreamPart>({
      start(controller) {
        for (const delta of pieces) controller.enqueue({ type: 'text-delta', id: '0', delta })
        controller.enqueue(DONE)
        controller.close()
      },
    }),
  })
  return model
}

/** The text of records that people were shown. */
export function shownIn(records: readonly LogRecord[]): string {
  return records
    .filter(({ type, origin }) => type === 'TEXT_MESSAGE_CONTENT' && origin.source === 'model')
    .map(({ data }) => String((data as { readonly delta: string }).delta))
    .join('')
}

/** The decisions on a model's proposals: each is accepted under its type or refused with a reason. */
export function answersIn(records: readonly LogRecord[]): readonly LogRecord[] {
  return records.filter(
    ({ type, origin }) =>
      origin.source === 'model' && (type === 'event_refused' || type !== type.toUpperCase()),
  )
}
