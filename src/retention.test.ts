import { expect, onTestFinished, test, vi } from 'vitest'
import { ManualClock } from './due-work/index.ts'
import { open } from './open.ts'
import { freshPath } from './storage/sqlite-folder.fixture.ts'
import { visitsApp } from './visits.fixture.ts'
import type { Visit } from './visits.fixture.ts'
import { recordsOf } from '../test/memory-log.fixture.ts'

const DAY_MS = 86_400_000
const START = Date.UTC(2027, 0, 1)

/** A visit is kept for 30 days after the last activity in it, once its ward is "none" again. */
const retain = ({ ward }: Visit, { activeAt }: { readonly activeAt: number }) =>
  ward === 'gone' ? activeAt + 30 * DAY_MS : undefined

type Retain = NonNullable<NonNullable<Parameters<typeof visitsApp>[0]>['retain']>

async function opened(store: string, clock: ManualClock, until: Retain = retain) {
  const faults: unknown[] = []
  const onFault = (error: unknown): void => void faults.push(error)
  const tl = await open({ store, apps: [visitsApp({ retain: until })], clock, onFault })
  onTestFinished(() => tl.close(0))
  return Object.assign(tl, { faults })
}

const admitted = { type: 'admitted', data: { name: 'Ann', age: 15, ward: 'west' } } as const
const left = { type: 'moved', data: { ward: 'gone' } } as const

test('a person is erased when the application says, and not before', async () => {
  const clock = new ManualClock(START)
  const tl = await opened('memory:', clock)
  await tl.propose('t', [admitted])
  await tl.propose('u', [admitted, left])
  clock.advance(29 * DAY_MS)
  await tl.propose('t', [left])
  const types = async (thread: string) => {
    const all = (await recordsOf(tl.log, thread)).map(({ type }) => type)
    return all
  }
  await tl.threads()
  expect(await types('u')).toEqual(['admitted', 'moved'])
  await passDays(clock, 2, async () => expect(await types('u')).toContain('thread_erased'))
  expect(await types('t')).toEqual(['admitted', 'moved'])
  await passDays(clock, 29, async () => expect(await types('t')).toContain('thread_erased'))
  expect(tl.faults).toEqual([])
})

/** The look may set its timer after the clock has passed its time: a moment later it fires. */
async function passDays(clock: ManualClock, days: number, seen: () => Promise<void>) {
  clock.advance(days * DAY_MS)
  await vi.waitFor(async () => {
    clock.advance(1)
    await seen()
  })
}

test('a time that came while no process ran is made up by the next start', async () => {
  const store = `sqlite:${freshPath()}`
  const before = await opened(store, new ManualClock(START))
  await before.propose('t', [admitted, left])
  await before.close()
  const after = await opened(store, new ManualClock(START + 31 * DAY_MS))
  await vi.waitFor(async () =>
    expect(await after.state('t')).toMatchObject({ state: { patient: { name: '[redacted]' } } }),
  )
  expect(after.faults).toEqual([])
})

test('an application that retains is erasable', () => {
  expect(() => visitsApp({ erasable: false, retain })).toThrow('give `erasable: true`')
})

test.each([
  [Number.NaN, 'NaN'],
  [-1, '-1'],
  ['2031-01-01', 'a string'],
  [true, 'a boolean'],
  [{}, 'an object'],
])('a `retain` that returns %s erases nobody, and says so', async (returned, given) => {
  const until = (): number => returned as number
  const tl = await opened('memory:', new ManualClock(START), until)
  await tl.propose('t', [admitted])
  await vi.waitFor(() => expect(String(tl.faults[0])).toContain(`returned ${given}`))
  expect(await tl.state('t')).toMatchObject({ state: { patient: { name: 'ANN' } } })
})

test.each([undefined, null, false])(
  'a `retain` that returns %s keeps the thread',
  async (returned) => {
    const until = (): number | undefined => returned as undefined
    const tl = await opened('memory:', new ManualClock(START), until)
    await tl.propose('t', [admitted])
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await tl.state('t')).toMatchObject({ state: { patient: { name: 'ANN' } } })
    expect(tl.faults).toEqual([])
  },
)
