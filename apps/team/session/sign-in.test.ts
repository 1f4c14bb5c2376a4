import { expect, test, vi } from 'vitest'
import type { SessionEvent } from 'throughline/server/extend'
import { turnOf } from './scripted-team.fixture.ts'
import { SignIn } from './sign-in.ts'
import type { Auth } from './sign-in.ts'
import { started } from './started-team.fixture.ts'

const SIGNED_IN: Auth = { authMethod: 'setup_token', needsSetup: false, expiresInMinutes: null }
const NOT_SIGNED_IN: Auth = { authMethod: 'none', needsSetup: true, expiresInMinutes: null }
const REFUSED: SessionEvent = {
  type: 'provider_failed',
  status: 401,
  text: 'Invalid API key · Fix external API key',
  needsSignIn: true,
  parent: null,
}
const session = (authSource: string | null): SessionEvent => ({
  type: 'session',
  sessionId: 'conversation-1',
  model: 'm',
  tools: [],
  version: '2.1.332',
  authSource,
})

/** A program whose key the provider takes, or not. */
async function refused() {
  let isRefused = true
  const team = await started({
    model: 'default',
    auth: SIGNED_IN,
    script: (_, id) => (isRefused ? [REFUSED, { ...turnOf(id), outcome: 'error' }] : []),
  })
  return { ...team, mend: () => (isRefused = false) }
}

test('[S19] [D057] [D058] a key that is refused is auth_failed, says how to sign in, and changes auth_state and health', async () => {
  const team = await refused()
  await team.post('/api/session/start')
  const [failed] = await team.has('server_error')
  expect(failed).toMatchObject({
    code: 'auth_failed',
    message: expect.stringMatching(/^Invalid API key .*claude auth login.*ANTHROPIC_API_KEY/),
  })
  const [, changed] = await team.has('auth_state', 2)
  expect(changed).toMatchObject({ authMethod: 'setup_token', needsSetup: true })
  const health = async () => (await team.get('/api/health')).json()
  await vi.waitFor(async () => expect(await health()).toMatchObject({ needsSetup: true }))
  team.mend()
  await team.post('/api/send', { message: 'Again' })
  const [, , mended] = await team.has('auth_state', 3)
  expect(mended).toMatchObject({ authMethod: 'setup_token', needsSetup: false })
  await vi.waitFor(async () => expect(await health()).toMatchObject({ needsSetup: false }))
})

test('[D058] a person who has signed in meanwhile starts a session without a new start of the server', async () => {
  let auth = NOT_SIGNED_IN
  const team = await started({ model: 'default', auth, askAuth: async () => auth })
  const problem = await (await team.post('/api/session/start')).json()
  expect(problem).toMatchObject({ code: 'setup_required' })
  auth = { authMethod: 'oauth', needsSetup: false, expiresInMinutes: 60 }
  expect((await team.post('/api/session/start')).status).toBe(200)
  expect((await team.has('auth_state', 2))[1]).toMatchObject(auth)
})

test('where the key comes from says oauth or setup_token, and none says nothing', () => {
  const changes = (known: Auth, ...events: readonly SessionEvent[]) => {
    const signIn = new SignIn(known)
    return events.map((event) => signIn.take(event)?.authMethod)
  }
  expect(changes(SIGNED_IN, session('none'), session('/login managed key'))).toEqual([
    undefined,
    'oauth',
  ])
  expect(changes(NOT_SIGNED_IN, session('ANTHROPIC_API_KEY'))).toEqual(['setup_token'])
  expect(changes(NOT_SIGNED_IN, turnOf('1'), turnOf('2'))).toEqual(['oauth', undefined])
  expect(changes(NOT_SIGNED_IN, { ...turnOf('1'), steps: 0 })).toEqual([undefined])
})
