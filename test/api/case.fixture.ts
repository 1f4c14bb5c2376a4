import { takeTurn } from '../../apps/broker/journeys/page-turn.fixture.ts'
import type { PageTurn, Told } from '../../apps/broker/journeys/page-turn.fixture.ts'
import { ask } from './raw-http.fixture.ts'
import type { RawAnswer } from './raw-http.fixture.ts'
import type { ServedApi } from './served-api.fixture.ts'

export interface Case {
  readonly sessionId: string
  readonly tokens: Readonly<Record<'installer' | 'customer' | 'auditor', string>>
}

/** Posts JSON and gives the answer; fails when none comes. */
export async function post(
  api: ServedApi,
  target: string,
  { body, token }: { readonly body: unknown; readonly token?: string },
): Promise<RawAnswer> {
  const answer = await ask(api.port, {
    method: 'POST',
    target,
    headers: { 'content-type': 'application/json', ...bearer(token) },
    body: JSON.stringify(body),
  })
  if (!answer) throw new Error(`Cannot post to ${target}: nothing came back`)
  return answer
}

export async function get(api: ServedApi, target: string, token?: string): Promise<RawAnswer> {
  const answer = await ask(api.port, { method: 'GET', target, headers: bearer(token) })
  if (!answer) throw new Error(`Cannot get ${target}: nothing came back`)
  return answer
}

export function bearer(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}

/** What an answer holds, for tests that know what they asked for. */
export function parsed<Shape>({ body }: RawAnswer): Shape {
  return JSON.parse(body) as Shape
}

/** A case of its own; `operator` is needed where creating is not open. */
export async function newCase(api: ServedApi, operator?: string): Promise<Case> {
  const body = { retailerName: 'Bright Solar', demoScenario: 'clean' }
  return parsed<Case>(await post(api, '/api/session', { body, ...tokenOf(operator) }))
}

const CONTACT = { firstName: 'Sarah', email: 'sarah@example.com', mobile: '07700 900 123' }
const PROJECT = { projectValue: 17_500, depositPct: 10, productSpec: 'panels_battery' }

/** A case that its customer has begun: both sides have something to read. */
export async function begunCase(api: ServedApi, operator?: string): Promise<Case> {
  const made = await newCase(api, operator)
  const directEvents = [
    { type: 'record_project_facts', data: PROJECT },
    { type: 'record_customer_contact', data: CONTACT },
    { type: 'installer_handoff_complete', data: {} },
  ]
  await turnIn(api, made, { side: 'installer', directEvents })
  await turnIn(api, made, { side: 'customer', isFirstTurn: true })
  return made
}

/** Takes a turn of a case as its page does. */
export function turnIn(
  { port }: ServedApi,
  { sessionId, tokens }: Case,
  { side, ...turn }: PageTurn & { readonly side: 'installer' | 'customer' },
): Promise<Told> {
  const headers = bearer(tokens[side])
  return takeTurn({ url: `http://127.0.0.1:${port}`, thread: sessionId, side, headers }, turn)
}

/** A thread of agents whose one run has ended, or waits. */
export async function deskThread(api: ServedApi, operator?: string): Promise<string> {
  const thread = `desk-${crypto.randomUUID()}`
  const body = { agent: 'policy', input: 'How long may a lamp be returned?' }
  await post(api, `/api/threads/${thread}/runs`, { body, ...tokenOf(operator) })
  await restful(api)
  return thread
}

function tokenOf(operator: string | undefined): { token?: string } {
  return operator === undefined ? {} : { token: operator }
}

const STARTS = new Set(['RUN_STARTED'])
const ENDS = new Set(['RUN_FINISHED', 'RUN_ERROR'])

/** Resolves when no run is open in any thread of agents, whose names people chose. */
export async function restful({ log }: ServedApi): Promise<void> {
  const threads = (await log.threads()).filter((name) => !/^[\da-f]{8}-[\da-f-]{27}$/.test(name))
  for (const thread of threads) {
    while ((await openRuns(log, thread)) > 0) await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

async function openRuns(log: ServedApi['log'], thread: string): Promise<number> {
  let open = 0
  for await (const batch of log.read(thread)) {
    for (const { type } of batch) open += Number(STARTS.has(type)) - Number(ENDS.has(type))
  }
  return open
}
