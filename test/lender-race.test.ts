import { expect, test } from 'vitest'
import { anthropicServer } from './models/anthropic-server.fixture.ts'
import { chance, newSeed } from './chance.fixture.ts'
import { timesInTier } from './tier.fixture.ts'
import { CONFIRM, LenderCase } from './lender-case.fixture.ts'
import { startLender } from './lender-process.fixture.ts'
import type { LenderProcess, Told } from './lender-process.fixture.ts'
import { emptyFolder, startServer } from './server-process.fixture.ts'
import type { ServerProcess } from './server-process.fixture.ts'

const RUNS = timesInTier({ quick: 5, full: 200 })
/** Whether a kill hits a request is chance: there are more races until one did, this many at most. */
const RUNS_MAX = 10 * RUNS
/** Cases that one kill hits, each of them somewhere else. */
const CASES_PER_KILL = 5
const KILL_WITHIN_MS = 400
const DECIDES_IN_MS = 80
const SUBMIT = `Thank you.\n<agent-event type="submit_application" data='{}' />`
const LENDERS = ['Harbour Bank', 'Meridian Bank', 'Steadfast Finance']

interface World {
  readonly lender: LenderProcess
  readonly settings: Readonly<Record<string, string>>
  readonly random: () => number
  server: ServerProcess
}

/** The first lender declines, the second counters, the third declines; every other reply submits. */
async function world(seed: number): Promise<World> {
  const random = chance(seed)
  const model = await anthropicServer(() => (random() < 0.5 ? SUBMIT : 'Thank you.'))
  const lender = await startLender({ SCENARIO: 'counter' })
  await lender.suffer({ kind: 'slow', delayMs: DECIDES_IN_MS })
  const settings = {
    DATA_DIR: await emptyFolder(),
    LENDER_BASE_URL: lender.url,
    MODEL: 'anthropic/claude-sonnet-5-5',
    MODEL_BASE_URL: model.baseUrl,
    ANTHROPIC_API_KEY: 'not-a-key',
  }
  return { lender, settings, random, server: await startServer(settings) }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Two tabs bring the application in at once, and a third click goes past the model. */
const submitted = (someone: LenderCase) => [
  someone.turn('tab 1', CONFIRM),
  someone.turn('tab 2', CONFIRM),
  someone.click('customer', CONFIRM),
]

const refused = (someone: LenderCase) => [
  someone.turn('refuse 1', ['refuse_counter_offer', {}]),
  someone.turn('refuse 2', ['refuse_counter_offer', {}]),
]

type Race = (someone: LenderCase) => readonly Promise<unknown>[]

async function race(cases: readonly LenderCase[], start: Race): Promise<void> {
  await Promise.allSettled(cases.flatMap(start))
}

interface Killing {
  readonly cases: readonly LenderCase[]
  /** Resolves when it is time. */
  readonly moment: Promise<unknown>
}

/** The same race with the server killed in the middle; afterwards each tab repeats its requests. */
async function raceWithKill(here: World, { cases, moment }: Killing, start: Race): Promise<void> {
  const racing = race(cases, start)
  await moment
  await here.server.end('SIGKILL')
  await racing
  here.server = await startServer(here.settings)
  for (const someone of cases) someone.url = here.server.url
  await race(cases, start)
}

/** When a lender has decided and not yet answered in every other round; in the rest, any moment. */
async function momentOf(round: number, { lender, random }: World): Promise<void> {
  if (round % 2 === 1) return pause(random() * KILL_WITHIN_MS)
  const before = (await lender.decisions()).length
  while ((await lender.decisions()).length === before) await pause(2)
}

/** Races the submission, then the answer to the counter-offer; the server is killed in one of them. */
async function playRound(here: World, round: number): Promise<readonly LenderCase[]> {
  const { url } = here.server
  const cases = await Promise.all(
    Array.from({ length: CASES_PER_KILL }, () => LenderCase.ready(url)),
  )
  const killed = here.random() < 0.5 ? submitted : refused
  for (const start of [submitted, refused]) {
    if (start === killed) await raceWithKill(here, { cases, moment: momentOf(round, here) }, start)
    else await race(cases, start)
  }
  return cases
}

/** Shows that a case was submitted once, and that each lender decided on it once. */
async function checkOnce(someone: LenderCase, decisions: readonly Told[], where: string) {
  const mine = decisions.filter(({ brokerCaseId }) => brokerCaseId === someone.id)
  const asked = mine.map(({ lender }) => lender)
  expect(asked, where).toEqual(LENDERS)
  const repeated = mine.map(({ requests }) => requests - 1)
  expect(Math.max(...repeated), where).toBeLessThanOrEqual(1)
  const records = await someone.records()
  const all = (wanted: string) => records.filter(({ type }) => type === wanted)
  expect(all('submit_application'), where).toHaveLength(1)
  expect(all('effect_requested'), where).toHaveLength(LENDERS.length)
  expect(all('waterfall_recorded'), where).toHaveLength(LENDERS.length)
  expect(await someone.state(), where).toMatchObject({ status: 'declined' })
  return {
    repeated: repeated.reduce((sum, more) => sum + more, 0),
    decisions: asked.length,
    submitter: all('submit_application')[0]?.origin.source,
  }
}

test(
  `[S3] each lender decides once per submission, in ${RUNS} races with kills`,
  async ({ annotate }) => {
    const seed = newSeed()
    const here = await world(seed)
    const seen: Awaited<ReturnType<typeof checkOnce>>[] = []
    const repeated = () => seen.reduce((sum, each) => sum + each.repeated, 0)
    const submitters = () => new Set(seen.map(({ submitter }) => submitter))
    const isShown = () => repeated() > 0 && submitters().size > 1
    for (let round = 0; seen.length < RUNS || (!isShown() && seen.length < RUNS_MAX); round++) {
      const cases = await playRound(here, round)
      const decisions = await here.lender.decisions()
      for (const someone of cases) {
        seen.push(await checkOnce(someone, decisions, `round ${round}`))
      }
    }
    await here.server.end('SIGTERM')
    expect(submitters()).toEqual(new Set(['model', 'rule']))
    expect(repeated()).toBeGreaterThan(0)
    const decided = seen.reduce((sum, each) => sum + each.decisions, 0)
    const said = `${seen.length} races, ${decided} decisions of ${seen.length * LENDERS.length} due`
    await annotate(`${said}, ${repeated()} requests repeated after a kill`, 'promise')
  },
  RUNS_MAX * 10_000,
)
