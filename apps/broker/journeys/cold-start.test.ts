import { createHash, randomUUID } from 'node:crypto'
import { EncryptJWT } from 'jose'
import { ourMetadata } from 'throughline/client'
import { Gate } from 'throughline/server/extend'
import { scriptedModel, textOf } from 'throughline'
import { Tokens } from 'throughline/server'
import { expect, test } from 'vitest'
import { chance } from '../../../test/chance.fixture.ts'
import { domain } from '../case/given-case.fixture.ts'
import { RecoverySeeds } from '../routes/recovery-seed.ts'
import { CUSTOMER_STEPS, Journey, handOver, offerSeed } from './journey.fixture.ts'
import { SECRET, recordsOf, request, serveBroker } from './served-broker.fixture.ts'
import type { ServedBroker } from './served-broker.fixture.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

test('[B054] a page whose server has lost the case gives it the seed and goes on', async () => {
  const broker = await serveBroker()
  const journey = await Journey.start(broker)
  await handOver(journey)
  await broker.close()
  journey.broker = await serveBroker()
  for (const step of CUSTOMER_STEPS) expect((await step(journey)).end).toBe('finished')
  expect(await journey.state()).toMatchObject({ status: 'selected' })
  await journey.broker.close()
})

test('[B067] a reply that was cut off is still marked as cut off after two cold starts', async () => {
  let isCut = false
  const model = scriptedModel(() => (isCut ? { cut: 'We are a' } : 'Hello.'))
  const first = await serveBroker({ model })
  const journey = await Journey.start(first)
  await handOver(journey)
  isCut = true
  expect((await journey.say('customer', 'Are you a lender?')).end).toBe('failed')
  const { body: shown } = await request(`${first.url}/api/session/${journey.sessionId}`, {
    token: journey.tokens.customer,
  })
  const [second, third] = [await serveBroker(), await serveBroker()]
  const { body } = await offerSeed(journey, String(shown['seed']), second)
  await offerSeed(journey, String(body['seed']), third)
  const replies = shown['customerMessages'] as readonly { id: string; text: string }[]
  const cut = replies.filter(({ text }) => text === 'We are a').map(({ id }) => id)
  expect(cut.length).toBeGreaterThan(0)
  for (const { log } of [second, third]) {
    const ends = (await recordsOf(log, journey.sessionId)).filter(
      ({ type }) => type === 'TEXT_MESSAGE_END',
    )
    const marked = ends.filter(({ data }) => ourMetadata(data)['cut'] === 'failed')
    expect(marked.map(({ data }) => textOf(data, 'messageId'))).toEqual(cut)
    expect(ends.length).toBeGreaterThan(marked.length)
  }
  await Promise.all([first, second, third].map((broker) => broker.close()))
})

const MUTATED = 500

test('[X6] no seed that was altered, forged, of another case or out of date changes anything', async ({
  annotate,
}) => {
  const seedOfChance = 20_261_122
  const random = chance(seedOfChance)
  const [warm, cold] = [await serveBroker(), await serveBroker()]
  const [journey, other] = [await Journey.start(warm), await Journey.start(warm)]
  await handOver(journey)
  await handOver(other)
  const own = journey.seed ?? ''
  const seal = await sealerOf(journey)
  const wrong = [
    other.seed ?? '',
    journey.tokens.customer,
    ...(await Promise.all(WRONG.map(seal))),
    ...Array.from({ length: 8 }, () => mutated(own, random)),
  ]
  const version = await warm.log.head(journey.sessionId)
  for (const seed of wrong.filter((text) => text !== own)) {
    expect((await offerSeed(journey, seed, cold)).status).toBe(404)
    expect((await offerSeed(journey, seed, warm)).body).toMatchObject({ hydrated: false })
  }
  const mutants = Array.from({ length: MUTATED }, () => mutated(own, random))
  const bad = mutants.filter((text) => text !== own)
  const accepted = [...(await taken(cold, journey, bad)), ...(await taken(warm, journey, bad))]
  expect([seedOfChance, accepted]).toEqual([seedOfChance, []])
  expect(await cold.log.threads()).toEqual([])
  expect(await warm.log.head(journey.sessionId)).toBe(version)
  expect((await offerSeed(journey, own, cold)).body).toMatchObject({ hydrated: true })
  const another = await serveBroker()
  const sealed = await seal({})
  expect((await offerSeed(journey, sealed, another)).body).toMatchObject({ hydrated: true })
  await another.close()
  const tried = wrong.length + bad.length
  await annotate(`${accepted.length} of ${tried} mutated seeds accepted`, 'promise')
  await warm.close()
  await cold.close()
})

/** Which seeds a server's log takes, without a request for each: there are hundreds. */
async function taken(
  { log }: ServedBroker,
  { sessionId }: Journey,
  sealed: readonly string[],
): Promise<readonly string[]> {
  const id: () => string = randomUUID
  const gate = new Gate({ log, domain, now: Date.now, id, sha256 })
  const seeds = new RecoverySeeds({ log, gate, tokens: new Tokens([SECRET]), id })
  const accepted: string[] = []
  for (const seed of sealed) {
    if ((await seeds.hydrate(sessionId, seed)).hydrated) accepted.push(seed)
  }
  return accepted
}

interface SealOptions {
  readonly secret?: string
  readonly lifetime?: string
  readonly content?: object
}

/** Returns a function that seals seeds of a case as a server does, except for its options. */
async function sealerOf(journey: Journey): Promise<(options: SealOptions) => Promise<string>> {
  const state = { case: await journey.state(), scenario: 'clean' }
  const empty = { customerMessages: [], installerMessages: [] }
  const hash = 'a'.repeat(64)
  const source = { from: { epoch: 'log-1', seq: 99, hash }, line: [hash.slice(0, 32)] }
  const whole = { v: 2, threadId: journey.sessionId, source, state, ...empty }
  return ({ secret = SECRET, lifetime = '1h', content = {} }) =>
    new EncryptJWT({ content: { ...whole, ...content } })
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setIssuedAt()
      .setExpirationTime(lifetime)
      .encrypt(createHash('sha256').update(`throughline:seed:${secret}`).digest())
}

/** Each of them differs in one thing from a seed that would be taken. */
const WRONG: readonly SealOptions[] = [
  { secret: 'another secret' },
  { lifetime: '-1s' },
  { content: { threadId: 'another' } },
  { content: { v: 1 } },
  { content: { source: {} } },
  { content: { customerMessages: 'none' } },
  { content: { state: { case: {}, scenario: 'clean' } } },
]

const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/'

function mutated(text: string, random: () => number): string {
  const at = Math.floor(random() * text.length)
  const character = CHARACTERS[Math.floor(random() * CHARACTERS.length)] ?? 'A'
  const parts = text.split('.')
  const part = Math.floor(random() * parts.length)
  switch (Math.floor(random() * 6)) {
    case 0:
      return text.slice(0, at) + text.slice(at + 1)
    case 1:
      return text.slice(0, at) + character + text.slice(at)
    case 2:
      return text.slice(0, at)
    case 3:
      return parts.with(part, '').join('.')
    case 4:
      return parts.toReversed().join('.')
    default:
      return text.slice(0, at) + character + text.slice(at + 1)
  }
}
