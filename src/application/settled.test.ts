import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { defineDomain } from '../domain/index.ts'
import { ManualClock } from '../due-work/index.ts'
import { sha256, uuidv7 } from '../storage/index.ts'
import { Throughline, defineApp } from './index.ts'
import { memoryLog } from '../../test/memory-log.fixture.ts'

const HOUR_MS = 3_600_000
const RETRY_MS = 60_000

interface Letter {
  readonly status: 'draft' | 'wanted' | 'sent' | 'late'
  readonly sentAt: number
}

const { event, domain } = defineDomain<Letter>()
const nothing = z.strictObject({})
const letters = domain({
  name: 'letters',
  initial: { status: 'draft', sentAt: 0 },
  events: {
    wanted: event({
      schema: nothing,
      by: [{ source: 'ui' }],
      reduce: (letter) => ({ ...letter, status: 'wanted' }),
    }),
    sent: event({
      schema: nothing,
      by: [{ source: 'system' }],
      reduce: (_letter, _data, { ts }) => ({ status: 'sent', sentAt: ts }),
    }),
    late: event({
      schema: nothing,
      by: [{ source: 'system' }],
      reduce: (letter) => ({ ...letter, status: 'late' }),
    }),
  },
  effects: [
    { name: 'send', due: ({ status }) => status === 'wanted' && { key: 'once', input: {} } },
  ],
  deadlines: [
    {
      name: 'answer within an hour',
      due: ({ status, sentAt }) =>
        status === 'sent' && {
          key: 'once',
          at: sentAt + HOUR_MS,
          propose: { type: 'late', data: {} },
        },
    },
  ],
})

const clock = new ManualClock(1_000_000)
const logOf = () => memoryLog({ now: clock.now })

/** The post office takes a while, and fails the first time. */
async function start(log = logOf()) {
  const app = defineApp({
    name: 'letters',
    domain: letters,
    effects: {
      send: {
        retry: { attempts: 3, backoffMs: RETRY_MS },
        async run({ attempt }) {
          await wait(20)
          if (attempt === 1) throw new Error('closed')
          return { type: 'sent', data: {} }
        },
      },
    },
  })
  const tl = await Throughline.start({
    log,
    apps: [app],
    clock,
    now: clock.now,
    id: uuidv7,
    sha256,
  })
  onTestFinished(() => tl.close())
  const status = async (): Promise<unknown> => {
    await tl.settled()
    return ((await tl.state('t')).state as Letter).status
  }
  return { tl, status }
}

test('settled resolves once no effect runs and no passed deadline is left', async () => {
  const { tl, status } = await start()
  await tl.settled()
  await tl.propose('t', [{ type: 'wanted', data: {} }])
  expect(await status()).toBe('wanted')
  clock.advance(RETRY_MS)
  expect(await status()).toBe('sent')
  clock.advance(HOUR_MS - 1)
  expect(await status()).toBe('sent')
  clock.advance(1)
  expect(await status()).toBe('late')
})

test('settled waits for the effects that a start begins', async () => {
  const log = logOf()
  const before = await start(log)
  await before.tl.propose('t', [{ type: 'wanted', data: {} }])
  await before.tl.drain(0)
  const { status } = await start(log)
  expect(await status()).toBe('wanted')
  clock.advance(RETRY_MS)
  expect(await status()).toBe('sent')
})
