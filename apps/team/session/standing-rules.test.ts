import { membersOf } from 'throughline'
import type { Json, LogRecord } from 'throughline'
import { expect, test, vi } from 'vitest'
import { newFolder } from '../../../test/folders.fixture.ts'
import { STANDING_RULES_MAX } from '../events/permission-payloads.ts'
import { begun, started } from './started-team.fixture.ts'
import type { TeamOptions } from '../team.fixture.ts'

type Started = Awaited<ReturnType<typeof started>>

function asking(team: Started) {
  const records = async () => {
    const all: LogRecord[] = []
    for await (const some of team.log.read('team')) all.push(...some)
    return all
  }
  const named = async (type: string) =>
    (await records()).flatMap((each) => (each.type === type ? [membersOf(each.data)] : []))
  let request = 0
  /** What is on record of a call once a person is asked, or a rule has decided. */
  const ask = async (command: string, more: { readonly parent?: string } = {}) => {
    const types = new Set(['permission_asked', 'permission_decided'])
    const before = (await records()).length
    const asked = { request: `request-${++request}`, call: null, toolName: 'Bash', ...more }
    team.program().say({ type: 'permission_asked', ...asked, input: { command } })
    return vi.waitFor(async () => {
      const found = (await records()).slice(before).find(({ type }) => types.has(type))
      if (!found) throw new TypeError('it is not asked yet')
      return { type: found.type, ...membersOf(found.data) } as Record<string, Json>
    }, 5_000)
  }
  const answer = async (asked: Record<string, Json>, more: object = {}) => {
    const { request, digest } = asked
    const body = { request, digest, approved: true, always: true, ...more }
    const response = await team.post('/api/permissions', body)
    const { code = '' } = (await response.json()) as { readonly code?: string }
    return `${response.status} ${code}`.trim()
  }
  const rules = async () => {
    const body = (await (await team.get('/api/permission-rules')).json()) as {
      readonly rules: readonly Record<string, string>[]
    }
    return body.rules
  }
  const remove = (id = '') => team.post(`/api/permission-rules/${id}/remove`)
  return { ...team, named, ask, answer, rules, remove }
}

const open = async (options: Partial<TeamOptions> = {}) => asking(await begun(options))

test('[X32] a call that a person has allowed for good runs unasked, and the rule is on record', async () => {
  const team = await open()
  const asked = await team.ask('npm test')
  expect(asked).toMatchObject({
    type: 'permission_asked',
    folder: `${team.dataDir}/team`,
    always: { tool: 'Bash', pattern: 'npm test' },
  })
  expect(await team.answer(asked)).toBe('200')
  const [added] = await team.named('permission_rule_added')
  expect(added).toMatchObject({ tool: 'Bash', pattern: 'npm test', folder: asked['folder'] })
  expect(await team.ask('npm  test')).toMatchObject({
    type: 'permission_decided',
    behavior: 'allow',
    rule: 'Bash(npm test)',
    ruleId: added?.['id'],
  })
  await vi.waitFor(() => expect(team.program().answers).toHaveLength(2))
  expect(team.program().answers[1]).toEqual({
    request: 'request-2',
    answer: { behavior: 'allow', input: { command: 'npm  test' } },
  })
})

test('[X32] a rule for one command allows no other', async () => {
  const team = await open()
  expect(await team.answer(await team.ask('npm test'))).toBe('200')
  const others = ['npm test --force', 'npm', 'npm test; rm -rf .', 'npm run', 'npm test > a']
  for (const command of others) {
    expect(await team.ask(command)).toMatchObject({ type: 'permission_asked' })
  }
})

test('[X32] a rule that was removed allows nothing more', async () => {
  const team = await open()
  await team.answer(await team.ask('npm test'))
  const [rule] = await team.rules()
  expect(rule).toMatchObject({ tool: 'Bash', pattern: 'npm test', createdAt: expect.any(String) })
  expect((await team.remove(rule?.['id'])).status).toBe(200)
  expect(await team.rules()).toEqual([])
  expect(await team.named('permission_rule_removed')).toEqual([{ id: rule?.['id'] }])
  expect(await team.ask('npm test')).toMatchObject({ type: 'permission_asked' })
  for (const id of [rule?.['id'], 'nonsense', crypto.randomUUID()]) {
    expect((await team.remove(id)).status).toBe(404)
  }
})

test('[X32] no rule is made where none names just the call, and the question stays open', async () => {
  const team = await open()
  const asked = await team.ask('ls *.md')
  expect(asked).not.toHaveProperty('always')
  expect(await team.answer(asked)).toBe('409 permission_not_exact')
  expect(await team.answer(asked, { approved: false })).toBe('400 invalid_body')
  expect(await team.rules()).toEqual([])
  expect(await team.answer(asked, { always: undefined })).toBe('200')
})

test('[X32] nobody proposes a rule that was not asked: it is refused', async () => {
  const team = await open()
  const { request, folder } = await team.ask('npm test')
  const wide = { id: crypto.randomUUID(), request, tool: 'Bash', pattern: 'npm *', folder }
  const events = [{ type: 'permission_rule_added', data: wide }]
  await team.post('/api/threads/team/events', { events })
  expect(await team.rules()).toEqual([])
})

test('[X32] a rule holds in the next session and after a restart, in its own folder alone', async () => {
  const dataDir = newFolder()
  const store = `sqlite:${dataDir}/throughline.db`
  const first = asking(await started({ dataDir, store }, 'open'))
  await first.post('/api/session/start')
  await first.has('claude_result')
  await first.answer(await first.ask('npm test'))
  await first.post('/api/session/end')
  await first.close()
  const next = asking(await started({ dataDir, store }, 'open'))
  await next.post('/api/session/start')
  await next.has('claude_result', 2)
  expect(await next.ask('npm test')).toMatchObject({ type: 'permission_decided' })
  await next.close()
  const moved = asking(await started({ dataDir: newFolder(), store }))
  await moved.has('session_start', 3)
  expect(await moved.ask('npm test')).toMatchObject({ type: 'permission_asked' })
})

test('[X32] the sub-agent that asks is on record, and the lead has none', async () => {
  const team = await open()
  expect(await team.ask('ls', { parent: 'toolu_9' })).toMatchObject({ parentToolUseId: 'toolu_9' })
  expect(await team.ask('ls')).not.toHaveProperty('parentToolUseId')
})

test('a command that stands already makes no second rule, and too many rules are refused', async () => {
  const team = await open()
  const [one, same] = [await team.ask('echo 0'), await team.ask('echo 0')]
  expect([await team.answer(one), await team.answer(same)]).toEqual(['200', '200'])
  expect(await team.rules()).toHaveLength(1)
  for (let index = 1; index < STANDING_RULES_MAX; index++) {
    await team.answer(await team.ask(`echo ${index}`))
  }
  const more = await team.ask('echo more')
  expect(await team.answer(more)).toBe('429 busy')
  expect(await team.answer(more, { always: undefined })).toBe('200')
}, 30_000)

test('rules and what they decide come as events of their own names, and none of the flat types', async () => {
  const team = await open()
  const stream = team.follow('/api/events?after=-1')
  await team.answer(await team.ask('npm test'))
  await team.ask('npm test')
  const named = ['permission_rule_added', 'permission_decided']
  await vi.waitFor(() => {
    for (const name of named)
      expect(stream.frames.join('\n')).toMatch(new RegExp(`^event: ${name}$`, 'm'))
  })
  expect(stream.events.filter(({ type }) => named.includes(type))).toEqual([])
  await stream.close()
})
