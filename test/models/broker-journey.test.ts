import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { beforeAll, expect, test } from 'vitest'
import type { LanguageModel } from 'throughline/agents'
import type { Json, LogRecord } from 'throughline/log'
import {
  Journey,
  REFERENCE_SENTENCE,
  acceptOffer,
  walk,
} from '../../apps/broker/journeys/journey.fixture.ts'
import { recordsOf, serveBroker } from '../../apps/broker/journeys/served-broker.fixture.ts'
import { anthropicServer } from './anthropic-server.fixture.ts'
import { playedByAnthropic, playedByOpenAI } from './narrator-script.fixture.ts'
import { openaiServer } from './openai-server.fixture.ts'

const apiKey = 'not-a-key'

async function cleanJourney(model?: LanguageModel) {
  const broker = await serveBroker(model === undefined ? {} : { model })
  const journey = await Journey.start(broker)
  const heard = await journey.say('installer', REFERENCE_SENTENCE)
  await walk(journey)
  const accepted = await acceptOffer(journey)
  const records = await recordsOf(broker.log, journey.sessionId)
  const verified = await broker.log.verify(journey.sessionId)
  await broker.close()
  return { records, heard, accepted, verified }
}

let scripted: Awaited<ReturnType<typeof cleanJourney>>

beforeAll(async () => {
  scripted = await cleanJourney()
})

test('[A066] the clean journey through the Anthropic format leaves the records of the scripted model', async () => {
  const { baseUrl, asked } = await anthropicServer(playedByAnthropic)
  const model = createAnthropic({ baseURL: baseUrl, apiKey })('claude-sonnet-5-5')
  const { records, heard, accepted, verified } = await cleanJourney(model)
  expect(told(records)).toEqual(told(scripted.records))
  expect([heard.body['assistantMessage'], accepted.body['assistantMessage']]).toEqual([
    scripted.heard.body['assistantMessage'],
    scripted.accepted.body['assistantMessage'],
  ])
  expect(verified).toMatchObject({ ok: true })
  expect(asked).toHaveLength(stepsIn(records))
})

test('[A066] the clean journey through the OpenAI format leaves the records of the scripted model', async () => {
  const { baseUrl, asked } = await openaiServer(playedByOpenAI)
  const model = createOpenAI({ baseURL: baseUrl, apiKey })('gpt-5.2')
  const { records, verified } = await cleanJourney(model)
  expect(told(records)).toEqual(told(scripted.records))
  expect(verified).toMatchObject({ ok: true })
  expect(asked).toHaveLength(stepsIn(records))
})

function stepsIn(records: readonly LogRecord[]): number {
  return records.filter(({ type }) => type === 'STEP_STARTED').length
}

/** What the records say, without what differs from one journey to the next: ids, times, who the model is. */
function told(records: readonly LogRecord[]): readonly string[] {
  const names = new Map<string, string>()
  const named = (id: string): string => {
    if (!names.has(id)) names.set(id, `id-${names.size}`)
    return names.get(id) ?? ''
  }
  return whole(records).map(({ id, type, data, origin }) =>
    JSON.stringify([named(id), type, plain(data), origin])
      .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, named)
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|\b1[789]\d{11}\b/g, 'then'),
  )
}

/** Where a text is cut into records goes by the clock. */
function whole(records: readonly LogRecord[]): readonly LogRecord[] {
  const joined: LogRecord[] = []
  for (const record of records) {
    const last = joined.at(-1)
    if (record.type !== 'TEXT_MESSAGE_CONTENT' || last?.type !== record.type) joined.push(record)
    else {
      const delta = `${deltaOf(last)}${deltaOf(record)}`
      joined[joined.length - 1] = { ...last, data: { ...(last.data as object), delta } }
    }
  }
  return joined
}

function deltaOf({ data }: LogRecord): string {
  return String((data as { readonly delta: string }).delta)
}

function plain(data: Json): unknown {
  const model = new Set(['usage', 'elapsedMs'])
  return JSON.parse(JSON.stringify(data), (name: string, value: unknown) =>
    model.has(name) ? undefined : value,
  )
}
