import { Tokens } from 'throughline/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Journey } from './journey.fixture.ts'
import { SECRET, request, serveBroker } from './served-broker.fixture.ts'
import type { ServedBroker } from './served-broker.fixture.ts'

let broker: ServedBroker
let journey: Journey

beforeAll(async () => {
  broker = await serveBroker()
  journey = await Journey.start(broker)
})

afterAll(() => broker.close())

const stateUrl = () => `${broker.url}/api/threads/${journey.sessionId}/state`

async function exchange(token: string) {
  const response = await fetch(`${broker.url}/api/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  return { response, cookie: response.headers.get('set-cookie') ?? '' }
}

test('with the cookies of several roles the page says which one it acts in', async () => {
  const roles = ['installer', 'customer', 'auditor'] as const
  const cookies = await Promise.all(roles.map((role) => exchange(journey.tokens[role])))
  const cookie = cookies.map((each) => each.cookie.split(';')[0]).join('; ')
  const keys = async (role: string) => {
    const { body } = await request(stateUrl(), { headers: { cookie, 'throughline-role': role } })
    return Object.keys(body['state'] as object)
  }
  expect(await keys('installer')).not.toContain('financial')
  expect(await keys('customer')).toContain('financial')
  const run = await request(`${broker.url}/api/threads/${journey.sessionId}/runs`, {
    headers: { cookie, 'throughline-role': 'customer' },
    body: { agent: 'installer', events: [] },
  })
  expect(run.status).toBe(403)
})

test('the cookies of many cases do not shut the browser out', async () => {
  const jar = new Map<string, string>()
  for (let n = 0; n < 70; n++) {
    const grant = { thread: `case-${n}`, role: 'installer', generation: 0 } as const
    const { token } = await new Tokens([SECRET]).issue(grant)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(`${broker.url}/api/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify({ token }),
    })
    expect(response.status).toBe(200)
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (/max-age=0/i.test(set)) jar.delete(name)
      else jar.set(name, value)
    }
  }
  expect([...jar.keys()].at(-1)).toContain('case-69')
})
