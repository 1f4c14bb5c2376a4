import { execFileSync } from 'node:child_process'
import { link, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { newFolder } from '../../../test/folders.fixture.ts'
import { EVENTS_BACK_MAX } from './events-route.ts'
import { started, summoned, team } from './open-team.fixture.ts'

test('[D021] [D042] [D128] [D029] [D127] a start is recorded before the session that it begins', async () => {
  const { stream } = await started()
  expect(stream.events.map(({ type }) => type).slice(0, 5)).toEqual([
    'auth_state',
    'user_session_start',
    'session_start',
    'user_message',
    'claude_system',
  ])
  expect(stream.events[2]).toMatchObject({ pid: 4_242, model: 'scripted', demoMode: false })
  expect(stream.events[2]?.sessionId).toMatch(/^team-\d{4}-\d\d-\d\d-1$/)
  expect(stream.events[4]).toMatchObject({ claudeSessionId: 'conversation-1' })
})

test('opening the audit page of a team that has no sign-in is answered, and leaves no record', async () => {
  const { post, stream } = await started()
  const before = stream.events.length
  expect((await post('/api/threads/team/opened')).status).toBe(200)
  expect((await post('/api/threads/nobody/opened')).status).toBe(401)
  expect(stream.events).toHaveLength(before)
})

test('[D111] no message is answered by a stream of its own', async () => {
  const { post } = await started()
  expect((await post('/api/chat', { message: 'hello' })).status).toBe(404)
  const { headers } = await post('/api/send', { message: 'hello' })
  expect(headers.get('content-type')).toMatch(/^application\/json/)
})

test('[D092] [D093] [D095] [D121] [D096] [D004] a message is taken with 202, and answered in the stream', async () => {
  const { post, stream, has } = await started()
  const response = await post('/api/send', { message: 'hello' })
  expect(response.status).toBe(202)
  const { eventId } = (await response.json()) as { eventId: number }
  await has('claude_result', 2)
  expect(stream.events.find(({ id }) => id === eventId)).toMatchObject({
    type: 'user_message',
    text: 'hello',
    speakerName: 'Human',
    targetAgent: null,
  })
  expect(JSON.stringify(stream.events)).toContain('You said: hello')
})

test('[D122] [D094] [D005] messages are taken while one is answered, and written in their order', async () => {
  const { post, programs } = await started()
  await post('/api/send', { message: 'hang' })
  const statuses = []
  for (const message of ['one', 'two']) statuses.push((await post('/api/send', { message })).status)
  expect(statuses).toEqual([202, 202])
  await vi.waitFor(() => expect(programs.started[0]?.written.at(-1)).toBe('hang'))
  programs.started[0]?.die()
  // The next process gets the messages without a result, in the order in which they were sent.
  await vi.waitFor(() => expect(programs.started[1]?.written).toEqual(['hang']), 5_000)
  expect(programs.wishes[1]?.resume).toBe('conversation-1')
})

test('[D122] a hundred messages may wait', async () => {
  const { post } = await started()
  const statuses = await Promise.all(
    Array.from({ length: 101 }, async () => (await post('/api/send', { message: 'hang' })).status),
  )
  expect(statuses.filter((status) => status === 202)).toHaveLength(100)
  expect(statuses.filter((status) => status === 429)).toHaveLength(1)
})

test('[D125] [D059] [D060] a second start is a conflict, and one without a key needs setup', async () => {
  const { post, has } = await started()
  expect((await post('/api/session/start')).status).toBe(409)
  expect(await has('server_error')).toMatchObject([{ code: 'session_conflict' }])
  const auth = { authMethod: 'none', needsSetup: true, expiresInMinutes: null } as const
  const other = await team({ auth })
  const refused = await other.post('/api/session/start')
  expect([refused.status, await refused.json()]).toMatchObject([400, { code: 'setup_required' }])
  expect((await other.post('/api/session/start', { demoMode: true })).status).toBe(200)
})

test('without a session nothing is sent', async () => {
  const { post } = await team()
  const refused = await post('/api/send', { message: 'hello' })
  expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'no_session' }])
})

test('[D023] [D024] [D043] a person ends the session', async () => {
  const { post, stream, has, get } = await started()
  expect(await (await post('/api/session/end')).json()).toEqual({ ok: true })
  expect(await has('session_end')).toMatchObject([{ reason: 'user_ended', exitCode: 143 }])
  expect(stream.events.at(-2)?.type).toBe('user_session_end')
  expect(await (await get('/api/health')).json()).toMatchObject({
    sessionActive: false,
    sessionId: null,
  })
})

test('[D040] [D041] [D130] agents are summoned, and woken with their stored details', async () => {
  const { post, has, programs, get } = await started()
  expect((await post('/api/agents/summon')).status).toBe(202)
  await has('agent_registered')
  await post('/api/agents/summon')
  const more = () => expect(programs.started[0]?.written.at(-1)).toMatch(/taken: 0 \(Lyra\)\.$/)
  await vi.waitFor(more)
  const agents = [{ name: 'Lyra', gridPosition: 0 }]
  expect((await post('/api/agents/wake', { agents })).status).toBe(202)
  expect(await has('user_wake')).toMatchObject([
    { agentPayloads: [{ name: 'Lyra', color: '#c9b1e8', hasSoul: false, hasTranscript: false }] },
  ])
  await vi.waitFor(() => expect(programs.started[0]?.written.at(-1)).toMatch(/^\[WAKE AGENTS\]\n/))
  expect(await (await get('/api/agents')).json()).toMatchObject({
    agents: [{ name: 'Lyra', status: 'alive' }],
  })
})

test('[D047] [D055] work is offered and jobs are helped with by routes of their own', async () => {
  const { post, has } = await summoned()
  const jobs = [{ name: 'Cook', description: 'Soup' }]
  expect((await post('/api/agents/offer', { agentName: 'Lyra', jobs })).status).toBe(202)
  expect((await post('/api/job-help', { formState: { name: '' } })).status).toBe(202)
  expect(await has('agent_work_offered')).toMatchObject([{ agentName: 'Lyra', jobNames: ['Cook'] }])
  expect(await has('job_help')).toMatchObject([{ suggestions: { name: 'Cook' } }])
})

test('[D003] [D084] [D085] [D087] [D086] the stream begins behind the larger of both cursors', async () => {
  const { events, stream } = await started()
  const last = stream.events.length - 1
  const later = events(`/api/events?after=${last - 3}`, { 'last-event-id': String(last - 1) })
  onTestFinished(() => later.close())
  await vi.waitFor(() => expect(later.events).toEqual(stream.events.slice(last)))
  expect(later.frames.at(-1)).toBe(`id: ${last}\ndata: ${JSON.stringify(stream.events[last])}`)
})

test('[D001] [D088] [D090] [D008] tabs see the same events, once each', async () => {
  const { events, post, has, stream } = await started()
  const tabs = [events(), events('/api/events?after=2')]
  onTestFinished(() => Promise.all(tabs.map((tab) => tab.close())).then(() => undefined))
  for (const message of ['a', 'b', 'c']) await post('/api/send', { message })
  await has('claude_result', 4)
  await vi.waitFor(() => expect(tabs[0]?.events).toEqual(stream.events))
  await vi.waitFor(() => expect(tabs[1]?.events).toEqual(stream.events.slice(3)))
  expect(stream.events.map(({ id }) => id)).toEqual(stream.events.map((_event, at) => at))
})

test('[D056] the stream beats, without an id', async () => {
  const { stream } = await started({ heartbeatMs: 50 })
  await vi.waitFor(() => expect(stream.frames.join('\n')).toContain('"type":"heartbeat"'))
  const beat = stream.frames.find((frame) => frame.includes('heartbeat')) ?? ''
  expect(beat).toMatch(/^data: \{"id":null,"ts":\d+,"sessionId":"team-.*","type":"heartbeat"\}$/)
})

test('a cursor of another log gets everything that is held', async () => {
  const { events, stream } = await started()
  const other = events('/api/events?after=900&epoch=other')
  onTestFinished(() => other.close())
  await vi.waitFor(() => expect(other.events).toEqual(stream.events))
  expect(other.frames.join('\n')).toContain('event: reset')
})

test('documents are listed and exported', async () => {
  const { get } = await started()
  const listed = await get('/api/documents')
  const text = await listed.text()
  const { documents } = JSON.parse(text) as { documents: unknown[] }
  expect(text).toBe(JSON.stringify({ documents }))
  expect(documents).toHaveLength(2)
  const exported = await get('/api/documents?format=jsonl')
  expect(await exported.text()).toBe(documents.map((each) => `${JSON.stringify(each)}\n`).join(''))
  const types = [listed, exported].map(({ headers }) => headers.get('content-type'))
  expect(types).toEqual(['application/json', 'application/x-ndjson'])
})

test('a team without documents lists none', async () => {
  const { get } = await team()
  expect(await (await get('/api/documents')).text()).toBe('{"documents":[]}')
})

test('[D047] an offer is declined once', async () => {
  const { post, has } = await summoned()
  const saved = await post('/api/jobs', { name: 'Cook' })
  const { job } = (await saved.json()) as { job: { jobId: string } }
  const offer = { jobId: job.jobId, agentName: 'Lyra' }
  expect((await post('/api/jobs/decline', offer)).status).toBe(404)
  await post('/api/agents/offer', { agentName: 'Lyra', jobs: [{ name: 'Cook', description: '' }] })
  await has('agent_work_offered')
  const declined = await post('/api/jobs/decline', offer)
  expect([declined.status, await declined.json()]).toMatchObject([200, { job: { offeredTo: [] } }])
  expect((await post('/api/jobs/decline', offer)).status).toBe(404)
})

test('jobs are saved, and open ones come first', async () => {
  const { post, get } = await team()
  for (const name of ['Cook', 'Baker']) await post('/api/jobs', { name })
  const filled = await post('/api/jobs', { name: 'Clerk', assignedAgent: 'Lyra' })
  expect([filled.status, await filled.json()]).toMatchObject([201, { job: { status: 'filled' } }])
  const { jobs } = (await (await get('/api/jobs')).json()) as { jobs: { name: string }[] }
  expect(jobs.map(({ name }) => name).at(-1)).toBe('Clerk')
})

test('artifacts are shown in a sandbox; paths and links that lead out are not found', async () => {
  const { get, dataDir } = await team()
  const memory = join(dataDir, 'team', 'memory')
  await mkdir(join(memory, 'shared'))
  await writeFile(join(memory, 'shared', 'a.md'), '# Hello\n\n<script>alert(1)</script>')
  await writeFile(join(dataDir, 'secret.txt'), 'secret')
  await symlink(join(dataDir, 'secret.txt'), join(memory, 'link.txt'))
  const shown = await get('/api/artifacts/shared/a.md')
  expect(shown.headers.get('content-security-policy')).toMatch(/^sandbox;.*frame-ancestors 'self'$/)
  expect(await shown.text()).toContain('<h1>Hello</h1>\n<p>&lt;script&gt;')
  for (const path of [
    'link.txt',
    '..%2f..%2fsecret.txt',
    '%2e%2e/secret.txt',
    'shared',
    'none',
    '%ff',
  ]) {
    expect([path, (await get(`/api/artifacts/${path}`)).status]).toEqual([path, 404])
  }
})

test('pipes, devices and second names of files are not read', { timeout: 10_000 }, async () => {
  const { get, dataDir } = await team()
  const memory = join(dataDir, 'team', 'memory')
  const skill = join(dataDir, 'team', '.claude', 'skills', 'pipe')
  await writeFile(join(dataDir, 'secret.txt'), 'secret')
  await link(join(dataDir, 'secret.txt'), join(memory, 'second.txt'))
  await symlink('/dev/zero', join(memory, 'zero'))
  await mkdir(skill, { recursive: true })
  execFileSync('mkfifo', [join(memory, 'pipe.md'), join(skill, 'SKILL.md')])
  // As many as the threads that read files.
  const pipes = await Promise.all([1, 2, 3, 4, 5].map(() => get('/api/artifacts/pipe.md')))
  expect(pipes.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
  for (const name of ['second.txt', 'zero']) {
    expect((await get(`/api/artifacts/${name}`)).status, name).toBe(404)
  }
  const skills = await (await get('/api/skills')).json()
  expect(skills).toEqual({ skills: [{ name: 'pipe', description: '' }] })
})

test('[D080] a log in memory serves the newest events alone, a durable one all of them', async () => {
  const stores = { memory: 'memory:', durable: `sqlite:${newFolder()}/throughline.db` }
  const first: Record<string, number | null | undefined> = {}
  for (const [name, store] of Object.entries(stores)) {
    const { log, events } = await team({ store })
    const head = await log.head('team')
    const jobs = Array.from({ length: EVENTS_BACK_MAX }, () => ({ type: 'noted', data: {} }))
    await log.append('team', jobs)
    const message = { text: 'last', speakerName: 'Ada', targetAgent: null, sessionId: null }
    await log.append('team', [{ type: 'user_message', data: message }])
    const stream = events('/api/events?after=-1')
    onTestFinished(() => stream.close())
    await vi.waitFor(() => expect(JSON.stringify(stream.events)).toContain('"last"'))
    first[name] = stream.events[0]?.id
    expect(head).toBeGreaterThanOrEqual(0)
  }
  expect(first).toEqual({ memory: expect.toSatisfy((id: number) => id > 0), durable: 0 })
})
