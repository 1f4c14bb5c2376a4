import { expect, onTestFinished, test, vi } from 'vitest'
import { chat } from '../../apps/broker/journeys/chat-door.fixture.ts'
import { Journey } from '../../apps/broker/journeys/journey.fixture.ts'
import { request } from '../../apps/broker/journeys/served-broker.fixture.ts'
import type { ServedBroker } from '../../apps/broker/journeys/served-broker.fixture.ts'
import { emptyFolder, startServer } from '../server-process.fixture.ts'
import type { ServerProcess } from '../server-process.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'

vi.setConfig({ testTimeout: timesInTier({ quick: 60_000, full: 400_000 }) })

const CASES = timesInTier({ quick: 4, full: 10 })
const STOPS = timesInTier({ quick: 1, full: 5 })
const EXIT_MAX_MS = 10_000
const ANSWERED = { status: 200, code: '' }

// A journey over HTTP needs the address only.
const asBroker = ({ url }: ServerProcess) => ({ url }) as ServedBroker

/** How one request ended: with a whole answer, or with a connection that was never or no more there. */
type Outcome = { readonly status: number; readonly code: string } | 'no connection'

interface Turn {
  outcome: Outcome | 'under way'
}

class Load {
  readonly outcomes: Outcome[] = []
  readonly streams: Outcome[] = []
  readonly #latest = new Map<Journey, Turn>()
  /** By case, the ids of records that the server said it holds. */
  readonly acknowledged: { readonly journey: Journey; readonly id: string }[] = []
  readonly #workers: Promise<void>[] = []
  #on = true

  start(journey: Journey): void {
    this.#workers.push(
      this.#again(() => this.#propose(journey)),
      this.#again(() => this.#turn(journey)),
      this.#again(() => this.#stream(journey)),
    )
  }

  /** The turns that the server has begun, as its log says, and not ended when it was asked. */
  async underWay(): Promise<Turn[]> {
    const turns: Turn[] = []
    for (const [{ broker, sessionId, tokens }, turn] of this.#latest) {
      const url = `${broker.url}/api/threads/${sessionId}/events?limit=10000`
      const { body } = await request(url, { token: tokens.auditor })
      const types = (body['records'] as unknown as { type: string }[]).map(({ type }) => type)
      if (types.findLast((type) => type.startsWith('RUN_')) === 'RUN_STARTED') turns.push(turn)
    }
    return turns
  }

  async stop(): Promise<void> {
    this.#on = false
    await Promise.all(this.#workers)
  }

  async #again(work: () => Promise<void>): Promise<void> {
    while (this.#on) {
      await work()
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  async #propose(journey: Journey): Promise<void> {
    const events = [{ type: 'record_project_facts', data: { projectValue: 9_000 } }]
    const url = `${journey.broker.url}/api/threads/${journey.sessionId}/events`
    const answer = await outcomeOf(
      request(url, { token: journey.tokens.installer, body: { events } }),
    )
    this.outcomes.push(answer.outcome)
    for (const { id } of answer.records) this.acknowledged.push({ journey, id })
  }

  async #turn(journey: Journey): Promise<void> {
    const turn: Turn = { outcome: 'under way' }
    this.#latest.set(journey, turn)
    const answer = await outcomeOf(
      chat(journey, 'installer', { userMessage: 'Twelve thousand for solar' }),
    )
    turn.outcome = answer.outcome
    this.outcomes.push(answer.outcome)
    for (const { id } of answer.messages) this.acknowledged.push({ journey, id })
  }

  /** Opens a stream, as a browser does that has just been cut off, and leaves it at once. */
  async #stream(journey: Journey): Promise<void> {
    const leave = new AbortController()
    const headers = {
      accept: 'text/event-stream',
      authorization: `Bearer ${journey.tokens.customer}`,
    }
    const url = `${journey.broker.url}/api/threads/${journey.sessionId}/events`
    try {
      const { status } = await fetch(url, { headers, signal: leave.signal })
      this.streams.push({ status, code: '' })
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      this.streams.push('no connection')
    } finally {
      leave.abort()
    }
  }
}

interface Named {
  readonly id: string
}

/** An answer that was cut short is neither whole nor missing: reading it throws, and so does this. */
async function outcomeOf(asked: ReturnType<typeof request>) {
  try {
    const { status, body } = await asked
    const records = (body['records'] ?? []) as unknown as Named[]
    const messages = (body['installerMessages'] ?? []) as unknown as Named[]
    const outcome: Outcome = { status, code: String(body['code'] ?? '') }
    return status === 200 ? { outcome, records, messages } : { outcome, records: [], messages: [] }
  } catch (error) {
    const isGone = error instanceof TypeError && error.message === 'fetch failed'
    if (!isGone) throw error
    return { outcome: 'no connection' as const, records: [], messages: [] }
  }
}

test('[L7] a server that is stopped under load ends its open work, refuses new work cleanly and loses nothing', async ({
  annotate,
}) => {
  const DATA_DIR = await emptyFolder()
  let server = await startServer({ DATA_DIR })
  onTestFinished(async () => void (await server.end('SIGKILL')))
  const counts = {
    finished: 0,
    whole: 0,
    refused: 0,
    gone: 0,
    streams: 0,
    lost: 0,
    acknowledged: 0,
  }
  let slowestMs = 0
  for (let stop = 0; stop < STOPS; stop++) {
    const load = new Load()
    const journeys = await Promise.all(
      Array.from({ length: CASES }, () => Journey.start(asBroker(server))),
    )
    for (const journey of journeys) load.start(journey)
    await expect.poll(() => load.acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(20)
    const underWay = await load.underWay()
    expect(underWay).not.toEqual([])
    const { code, ms } = await server.end('SIGTERM')
    await load.stop()
    expect(underWay.map(({ outcome }) => outcome)).toEqual(underWay.map(() => ANSWERED))
    counts.finished += underWay.length
    slowestMs = Math.max(slowestMs, ms)
    expect(code).toBe(0)
    expect(ms).toBeLessThan(EXIT_MAX_MS)
    expect(load.outcomes.filter((outcome) => !isClean(outcome))).toEqual([])
    expect(load.streams.filter((outcome) => !isServedOrGone(outcome))).toEqual([])
    for (const outcome of load.outcomes) {
      if (outcome === 'no connection') counts.gone++
      else if (outcome.status === 200) counts.whole++
      else counts.refused++
    }
    counts.streams += load.streams.length
    server = await startServer({ DATA_DIR })
    counts.acknowledged += load.acknowledged.length
    counts.lost += await lostOf(load, journeys, server)
    expect(counts.lost).toBe(0)
  }
  await annotate(
    `${counts.lost} of ${counts.acknowledged} acknowledged lost; exit 0 after at most ${Math.ceil(slowestMs)} ms; ${counts.finished} turns under way finished, ${counts.whole} requests answered, ${counts.refused} refused, ${counts.gone} without a connection; ${counts.streams} streams asked for, none refused`,
    'promise',
  )
})

/** A 503 says that nothing was done, or that it is not known to be: the same again settles it. */
function isClean(outcome: Outcome): boolean {
  if (outcome === 'no connection' || outcome.status === 200) return true
  return outcome.status === 503
    ? ['draining', 'closed'].includes(outcome.code)
    : outcome.status === 429
}

/** Any other answer would end a browser's reader for good. */
function isServedOrGone(outcome: Outcome): boolean {
  return outcome === 'no connection' || outcome.status === 200
}

async function lostOf(load: Load, journeys: readonly Journey[], { url }: ServerProcess) {
  let lost = 0
  for (const journey of journeys) {
    const path = `${url}/api/threads/${journey.sessionId}`
    const token = journey.tokens.auditor
    const { body } = await request(`${path}/verify`, { token })
    expect(body).toMatchObject({ ok: true })
    const exported = await fetch(`${path}/export`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const text = await exported.text()
    expect(text).toMatch(/\{"complete":true,"records":\d+\}\n$/)
    const mine = load.acknowledged.filter((each) => each.journey === journey)
    lost += mine.filter(({ id }) => !text.includes(`"${id}"`)).length
  }
  return lost
}
