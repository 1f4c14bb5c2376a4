import { expect, test, vi } from 'vitest'
import { started, summoned, team } from './open-team.fixture.ts'

interface Found {
  readonly count: number
  readonly messages: readonly { readonly speakerName: string; readonly text: string }[]
}

test('the messages of all sessions are found by session, agent and words', async () => {
  const { post, get, has } = await summoned()
  await post('/api/send', { message: 'Where is the harbour?', targetAgent: 'Lyra' })
  await has('claude_result', 3)
  const find = async (query: string): Promise<Found> =>
    (await get(`/api/transcripts?${query}`)).json() as Promise<Found>
  const said = (found: Found) => found.messages.map(({ speakerName }) => speakerName)
  expect(said(await find('find=HARBOUR+where'))).toEqual(['Human', 'Lyra'])
  expect(said(await find('agent=Lyra'))).toEqual(['Human', 'Lyra'])
  expect((await find('find=nowhere')).count).toBe(0)
  expect((await find('session=team-1999-01-01-1')).count).toBe(0)
  const { sessions } = (await (await get('/api/sessions')).json()) as {
    sessions: readonly { readonly sessionId: string; readonly messages: number }[]
  }
  expect(sessions).toHaveLength(1)
  const [session] = sessions
  expect((await find(`session=${session?.sessionId}`)).count).toBe(session?.messages)
})

test('a session that goes on after a crash of its program is one session, and says why it ended', async () => {
  const { get, post, programs, has } = await started()
  const sessions = async () => {
    const answer = (await (await get('/api/sessions')).json()) as { readonly sessions: unknown }
    return answer.sessions
  }
  programs.started[0]?.die()
  await has('session_start', 2)
  await vi.waitFor(async () =>
    expect(await sessions()).toMatchObject([{ endedAt: null, reason: 'process_crash' }]),
  )
  await post('/api/session/end')
  expect(await sessions()).toMatchObject([
    { endedAt: expect.any(String) as string, reason: 'user_ended' },
  ])
})

test('transcripts are the operator’s', async () => {
  const { get } = await team({ authenticate: () => undefined as never })
  expect((await get('/api/sessions')).status).toBe(401)
  expect((await get('/api/transcripts')).status).toBe(401)
})
