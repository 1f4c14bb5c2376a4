import { expect, test } from 'vitest'
import type { ComplianceSummary } from '../../apps/broker/audit/compliance.ts'
import { Journey, handOver } from '../../apps/broker/journeys/journey.fixture.ts'
import { chance, newSeed } from '../chance.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'
import { ActedCase, checkRecorded } from './acted-case.fixture.ts'
import { CookieBrowser } from './cookie-browser.fixture.ts'
import { testBroker } from '../../apps/broker/journeys/test-broker.fixture.ts'

type Random = () => number

const MIXED = timesInTier({ quick: 10, full: 50 })
const CLEAN = timesInTier({ quick: 10, full: 50 })

function shuffled<Item>(items: readonly Item[], random: Random): readonly Item[] {
  return items
    .map((item) => [random(), item] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, item]) => item)
}

interface Acting {
  readonly browser: CookieBrowser
  readonly role: 'installer' | 'customer'
  readonly random: Random
}

async function act(acted: ActedCase, { browser, role, random }: Acting): Promise<void> {
  if (random() < 0.1) await acted.say(browser, role)
  else await acted.click(browser, role)
}

/** Installers and customers at browsers of their own, auditors anywhere, each now and then again. */
async function liveApart(
  acted: ActedCase,
  own: Readonly<Record<Acting['role'], readonly CookieBrowser[]>>,
  random: Random,
): Promise<void> {
  const people = (['installer', 'customer'] as const).flatMap((role) =>
    own[role].map((browser) => ({ browser, role })),
  )
  for (const { browser, role } of shuffled([...people, ...people], random)) {
    await acted.open(browser, role)
    if (random() < 0.7) await act(acted, { browser, role, random })
    if (random() < 0.3) await acted.open(browser, 'auditor')
  }
}

/** One side opens the other's link in its own browser, and may act there. */
async function openOtherLink(acted: ActedCase, { browser, role, random }: Acting): Promise<void> {
  await acted.open(browser, role)
  if (random() < 0.5) await act(acted, { browser, role, random })
}

/** A whole journey; in a mixed one a browser is on both sides before or after the others come. */
async function live(acted: ActedCase, kind: 'mixed' | 'clean', random: Random): Promise<void> {
  const { url } = acted.journey.broker
  const some = () => [new CookieBrowser(url), new CookieBrowser(url)].slice(random() < 0.5 ? 1 : 0)
  const own = { installer: some(), customer: some() }
  const [from, role] =
    random() < 0.7 ? (['installer', 'customer'] as const) : (['customer', 'installer'] as const)
  const [browser] = own[from]
  const mix = async () => {
    if (kind === 'mixed' && browser) await openOtherLink(acted, { browser, role, random })
  }
  const isEarly = random() < 0.5
  if (isEarly) await mix()
  await liveApart(acted, own, random)
  if (!isEarly) await mix()
}

function isShared({ anomalies }: ComplianceSummary): boolean {
  return anomalies.some(({ code }) => code === 'shared_browser')
}

/** Neither side may learn by which ids the other's browsers go, nor its own. */
async function checkHidden(acted: ActedCase): Promise<void> {
  const { journey, opened } = acted
  const sessions = [...opened].map((each) => each.split(' ')[1] ?? '')
  for (const side of ['installer', 'customer'] as const) {
    const token = journey.tokens[side]
    for (const path of ['events?limit=10000', 'events?view=agent', 'state', 'export']) {
      const headers = { authorization: `Bearer ${token}` }
      const url = `${journey.broker.url}/api/threads/${journey.sessionId}/${path}`
      const text = await (await fetch(url, { headers })).text()
      expect(sessions.filter((session) => text.includes(session))).toEqual([])
    }
  }
}

test(`[S12] ${MIXED} journeys in which one browser is on both sides are an anomaly, ${CLEAN} others are not`, async ({
  annotate,
}) => {
  const random = chance(newSeed())
  const broker = await testBroker()
  const flagged = { mixed: 0, clean: 0 }
  const openings = { made: 0, recorded: 0 }
  for (let count = 0; count < MIXED + CLEAN; count++) {
    const where = `journey ${count}`
    const acted = new ActedCase(await Journey.start(broker))
    const kind = count < MIXED ? 'mixed' : 'clean'
    await live(acted, kind, random)
    openings.recorded += await checkRecorded(acted, where)
    openings.made += acted.opened.size
    if (count % 10 === 0) await checkHidden(acted)
    if (isShared(await acted.audit())) flagged[kind]++
  }
  expect(flagged).toEqual({ mixed: MIXED, clean: 0 })
  await annotate(
    `${openings.recorded} of ${openings.made} openings recorded; ${flagged.mixed} of ${MIXED} mixed journeys shown as an anomaly, ${flagged.clean} of ${CLEAN} clean ones`,
    'promise',
  )
})

test('[S12] a case in which one browser is the installer’s is not mixed up with another', async () => {
  const broker = await testBroker()
  const browser = new CookieBrowser(broker.url)
  const [one, other] = [await Journey.start(broker), await Journey.start(broker)].map(
    (journey) => new ActedCase(journey),
  )
  await one?.open(browser, 'installer')
  await other?.open(browser, 'customer')
  for (const acted of [one, other]) {
    expect(acted && isShared(await acted.audit())).toBe(false)
    if (acted) await checkRecorded(acted, 'two cases')
  }
})

test('[S12] the anomaly names the openings and clicks of the shared browser', async () => {
  const broker = await testBroker()
  const acted = new ActedCase(await Journey.start(broker))
  const browser = new CookieBrowser(broker.url)
  await handOver(acted.journey)
  await acted.open(browser, 'installer')
  await acted.open(browser, 'customer')
  await acted.click(browser, 'customer')
  await acted.say(browser, 'customer')
  const records = await acted.records()
  const { anomalies } = await acted.audit()
  const shown = anomalies.find(({ code }) => code === 'shared_browser')?.records ?? []
  expect(shown.map((seq) => records[seq]?.type)).toEqual([
    'link_opened',
    'link_opened',
    'record_customer_contact',
    'record_customer_contact',
    'TEXT_MESSAGE_END',
  ])
  expect(records.filter(({ origin }) => origin.actor !== undefined)).toHaveLength(7)
})
