import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { expect, test } from 'vitest'
import type { Json, LanguageModel } from 'throughline'
import type { LogRecord } from 'throughline/log'
import {
  CUSTOMER_STEPS,
  Journey,
  REFERENCE_SENTENCE,
  acceptOffer,
  walk,
} from '../../apps/broker/journeys/journey.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'
import { anthropicServer } from './anthropic-server.fixture.ts'
import { playedByAnthropic, playedByOpenAI } from './narrator-script.fixture.ts'
import { openaiServer } from './openai-server.fixture.ts'
import { recordsOf } from '../memory-log.fixture.ts'
import { testBroker } from '../../apps/broker/journeys/test-broker.fixture.ts'

const apiKey = 'not-a-key'

const [ELIGIBILITY, VULNERABILITY, CONSENT, SUMMARY] = [2, 6, 7, 8]

interface Path {
  readonly path: string
  readonly scenario: string
  /** The steps after the installer's message. */
  readonly live: (journey: Journey, settled: () => Promise<void>) => Promise<unknown>
}

const PATHS: readonly Path[] = [
  {
    path: 'clean',
    scenario: 'clean',
    live: async (journey) => {
      await walk(journey)
      await acceptOffer(journey)
    },
  },
  {
    path: 'counter-offer accepted',
    scenario: 'counter',
    live: async (journey) => {
      await walk(journey)
      await journey.click(['accept_counter_offer', {}])
    },
  },
  {
    path: 'counter-offer refused, and no other lender offers',
    scenario: 'counter',
    live: async (journey, settled) => {
      await walk(journey)
      // A look at due work after the turn before would otherwise begin the effect of this one, beside it.
      await settled()
      await journey.click(['refuse_counter_offer', {}])
      await journey.say('customer', 'What happens now?')
    },
  },
  {
    path: 'declined',
    scenario: 'decline',
    live: async (journey) => {
      await walk(journey)
      await journey.turn('customer', {})
    },
  },
  {
    path: 'ineligible',
    scenario: 'clean',
    live: async (journey) => {
      await stepsOf(journey, 0, ELIGIBILITY)
      const answers = { isOver18: true, isUkResident: true, isHomeowner: false, isEmployed: true }
      await journey.click(['record_eligibility', answers])
    },
  },
  {
    path: 'consent refused and then granted, vulnerability declared',
    scenario: 'clean',
    live: async (journey) => {
      await stepsOf(journey, 0, VULNERABILITY)
      const indicators = ['recent_life_event']
      await journey.click(['record_vulnerability_indicators', { indicators }])
      await journey.click(['capture_consent', { consentType: 'credit_search', granted: false }])
      await stepsOf(journey, CONSENT)
    },
  },
  {
    path: 'amended after a question',
    scenario: 'auto',
    live: async (journey) => {
      await stepsOf(journey, 0, SUMMARY)
      await journey.say('customer', 'I need to correct my income')
      await journey.click([
        'record_financial_facts',
        { annualIncome: 18_500, monthlyOutgoings: 700 },
      ])
      await stepsOf(journey, SUMMARY)
    },
  },
  {
    path: 'withdrawn at the summary',
    scenario: 'clean',
    live: async (journey) => {
      await stepsOf(journey, 0, SUMMARY)
      await journey.click(['withdraw', { reason: 'not now' }])
    },
  },
]

async function stepsOf(journey: Journey, from: number, to?: number): Promise<void> {
  for (const step of CUSTOMER_STEPS.slice(from, to)) await step(journey)
}

async function lived({ scenario, live }: Path, model?: LanguageModel) {
  const broker = await testBroker(model === undefined ? {} : { model })
  const journey = await Journey.start(broker, scenario)
  await journey.say('installer', REFERENCE_SENTENCE)
  await live(journey, broker.settled)
  const records = await recordsOf(broker.log, journey.sessionId)
  const verified = await broker.log.verify(journey.sessionId)
  await broker.close()
  return { records, verified }
}

const WIRES = [
  {
    wire: 'Anthropic',
    paths: PATHS.slice(0, timesInTier({ quick: 3, full: PATHS.length })),
    open: async () => {
      const { baseUrl, asked } = await anthropicServer(playedByAnthropic)
      return { asked, model: createAnthropic({ baseURL: baseUrl, apiKey })('claude-sonnet-5-5') }
    },
  },
  {
    wire: 'OpenAI',
    paths: PATHS.slice(0, timesInTier({ quick: 1, full: PATHS.length })),
    open: async () => {
      const { baseUrl, asked } = await openaiServer(playedByOpenAI)
      return { asked, model: createOpenAI({ baseURL: baseUrl, apiKey })('gpt-5.2') }
    },
  },
]

const CASES = WIRES.flatMap(({ paths, ...wire }) => paths.map((path) => ({ ...wire, ...path })))

test.for(CASES)(
  '[A066] through the $wire format a journey leaves the records of the scripted model: $path',
  async ({ open, ...path }) => {
    const { asked, model } = await open()
    const [scripted, { records, verified }] = [await lived(path), await lived(path, model)]
    expect(told(records)).toEqual(told(scripted.records))
    expect(verified).toMatchObject({ ok: true })
    expect(asked).toHaveLength(stepsIn(records))
  },
)

function stepsIn(records: readonly LogRecord[]): number {
  return records.filter(({ type }) => type === 'STEP_STARTED').length
}

/** Describes the records without the parts that differ between journeys: ids, times, the model's name. */
function told(records: readonly LogRecord[]): readonly string[] {
  const names = new Map<string, string>()
  const named = (id: string): string => {
    if (!names.has(id)) names.set(id, `id-${names.size}`)
    return names.get(id) ?? ''
  }
  return whole(records).map(({ id, type, data, origin }) =>
    JSON.stringify([named(id), type, plain(data), origin])
      // Of a request, which holds the ids of its events.
      .replace(/"request":"[\da-f]{64}"/, '"request":"its digest"')
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
