import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent } from '../agents/index.ts'
import { defineApp } from '../application/index.ts'
import type { Role, ThreadWait, WaitsPage } from '../application/index.ts'
import { scriptedModel } from '../models/index.ts'
import type { ScriptedReply } from '../models/index.ts'
import { REQUEST_CONTEXT_BYTES_MAX } from './access/foreign-access.ts'
import { mounted } from './mounted-routes.fixture.ts'

const triage = defineAgent({
  name: 'triage',
  instructions: ({ actor, role, context }) =>
    `You help ${JSON.stringify({ actor, role, context })}`,
  tools: {
    pay: {
      inputSchema: z.object({}),
      needsApproval: { by: 'handler' },
      execute: (_input, { actor, role, context, approvedBy }) => {
        return { actor, role, context, approvedBy }
      },
    },
    sign: {
      inputSchema: z.object({}),
      needsApproval: { by: ['handler', 'holder'], fourEyes: true },
      execute: () => 'signed',
    },
    check: { inputSchema: z.object({}), needsApproval: true, execute: () => 'checked' },
    name: {
      inputSchema: z.object({}),
      execute: (_input, { ask }) => ask(z.object({ name: z.string() }), { name: 'Whose?' }),
    },
    photo: { inputSchema: z.object({}) },
  },
  model: scriptedModel(({ messages, system }): ScriptedReply => {
    const last = messages.at(-1)
    const said = last?.text ?? ''
    if (last?.role === 'tool') return said
    if (said === 'system') return system
    return ['pay', 'sign', 'check', 'name', 'photo'].includes(said)
      ? { toolCalls: [{ name: said, input: {} }] }
      : said
  }),
})

const everything = { read: 'all', run: 'all', begin: true, cancel: true } as const
const roles: Readonly<Record<string, Role<object, string, 'triage'>>> = {
  holder: { ...everything, answer: { approvals: ['check', 'sign'] } },
  asker: { ...everything },
  questioner: { ...everything, answer: { questions: true } },
  handler: { ...everything, answer: true },
  reader: { read: 'all' },
}
const claims = defineApp({ name: 'claims', agents: [triage], roles })

async function office() {
  const { ask, throughline, http } = await mounted({}, claims)
  const say = async (input: string, caller: object, thread = 't') => {
    const { body } = await ask(`/api/threads/${thread}/runs`, caller, { agent: 'triage', input })
    await ended(String(body['runId']), thread)
    return String(body['runId'])
  }
  const ended = async (run: string, thread = 't') => {
    for await (const records of throughline.subscribe(thread)) {
      const isEnd = records.some(
        ({ type, origin }) => type === 'RUN_FINISHED' && origin.run === run,
      )
      if (isEnd) return
    }
  }
  const answer = (run: string, values: object, caller: object) =>
    ask(`/api/threads/t/runs/${run}/resume`, caller, { values })
  const waitsOf = async (caller: object, query = '') => {
    const { body } = await ask(`/api/waits${query}`, caller)
    return body as unknown as WaitsPage & { readonly tag: string }
  }
  return { ask, say, answer, ended, waitsOf, throughline, http }
}

const ann = { role: 'holder', actor: 'ann', context: { policy: 'P-1' } }
const harry = { role: 'handler', actor: 'harry', context: { desk: 7 } }
const yes = { approved: true }

test('only the role that decides may approve, and it is told who asked', async () => {
  const { say, answer, ended, throughline, waitsOf } = await office()
  const run = await say('pay', ann)
  for (const role of ['holder', 'asker', 'questioner']) {
    expect(await answer(run, yes, { role, actor: 'ann' })).toMatchObject({
      status: 403,
      body: {
        code: 'forbidden',
        detail: `"${role}" may not decide about "pay": only "handler" may`,
      },
    })
  }
  expect((await waitsOf(ann)).waits).toEqual([])
  const [wait] = (await waitsOf(harry)).waits
  expect(wait).toMatchObject({
    thread: 't',
    app: 'claims',
    run,
    toolName: 'pay',
    asker: { actor: 'ann' },
  })
  const { status, body } = await answer(run, { [wait?.id ?? '']: yes }, harry)
  expect(status).toBe(202)
  await ended(String(body['runId']))
  const result = await throughline.log.find('t', String(body['runId']))
  expect(result?.origin.actor).toBe('harry')
  const { text } = await throughline.turn('t', { agent: 'triage', input: 'x' }).result
  expect(text).toBe('x')
  const told: string[] = []
  for await (const records of throughline.log.read('t')) {
    for (const { type, data } of records)
      if (type === 'TOOL_CALL_RESULT') told.push(JSON.stringify(data))
  }
  expect(JSON.parse(told.at(-1) ?? '')).toMatchObject({
    content: JSON.stringify({
      actor: 'ann',
      role: 'holder',
      context: { desk: 7 },
      approvedBy: { role: 'handler', actor: 'harry' },
    }),
  })
  expect((await waitsOf(harry)).waits).toEqual([])
  expect(await answer(run, yes, harry)).toMatchObject({
    status: 409,
    body: { code: 'not_waiting' },
  })
})

test('a request of their own is in nobody’s inbox where four eyes are needed', async () => {
  const { say, answer, waitsOf, throughline } = await office()
  const run = await say('sign', ann)
  expect((await waitsOf(ann)).waits).toEqual([])
  expect((await waitsOf({ role: 'handler' })).waits).toEqual([])
  const bob = { role: 'holder', actor: 'bob' }
  expect((await waitsOf(bob)).waits).toHaveLength(1)
  expect((await throughline.waits({ role: 'holder' })).waits).toHaveLength(1)
  expect((await throughline.waits({ role: 'holder', actor: 'ann' })).waits).toEqual([])
  for (const caller of [ann, { role: 'handler', actor: 'ann' }, { role: 'handler' }]) {
    expect((await answer(run, yes, caller)).status).toBe(403)
  }
  expect((await answer(run, yes, bob)).status).toBe(202)
})

test('two people who decide at once: one answer counts', async () => {
  const { say, answer } = await office()
  const run = await say('pay', ann)
  const answers = await Promise.all(
    ['harry', 'hazel', 'hugh'].map((actor) => answer(run, yes, { role: 'handler', actor })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409, 409])
})

test.each([
  ['check', yes, { holder: 202, asker: 403, questioner: 403, reader: 403 }],
  ['name', { name: 'Ann' }, { questioner: 202, holder: 403, asker: 403, reader: 403 }],
] as const)('a role answers %s only where its `answer` names that', async (input, values, may) => {
  for (const [role, expected] of Object.entries(may)) {
    const { say, answer } = await office()
    const run = await say(input, ann)
    expect([role, (await answer(run, values, { role })).status]).toEqual([role, expected])
  }
})

test('the page that asked gives the results of its own tools, and needs no `answer`', async () => {
  const { say, answer, throughline } = await office()
  const asker = { role: 'asker', actor: 'ann' }
  const run = await say('photo', asker)
  const { pauses } = (await throughline.app('claims').gate.snapshot('t')) ?? {}
  const call = pauses.waiting[0]?.waits[0]?.toolCallId ?? ''
  expect((await answer(run, { [call]: 'x.jpg' }, { role: 'questioner' })).status).toBe(403)
  expect((await answer(run, { [call]: 'x.jpg' }, asker)).status).toBe(202)
})

test('the list of what waits has pages, is of threads that the sender may enter, and leaves page tools out', async () => {
  const { say, waitsOf, throughline, http } = await office()
  await say('pay', ann, 'one')
  await say('pay', ann, 'two')
  await say('photo', ann, 'three')
  await say('check', ann, 'four')
  const threads = async (caller: object) =>
    (await waitsOf(caller)).waits.map(({ thread }) => thread)
  expect(await threads(harry)).toEqual(['four', 'two', 'one'])
  expect(await threads(ann)).toEqual(['four'])
  expect(await threads({ role: 'reader' })).toEqual([])
  expect(await threads({ role: 'operator' })).toEqual(['four', 'two', 'one'])
  const first = await throughline.waits({ role: 'handler', limit: 2 })
  const rest = await throughline.waits({ role: 'handler', limit: 2, after: first.next ?? '' })
  expect([first, rest].map(({ waits }) => waits.map(({ thread }) => thread))).toEqual([
    ['four', 'two'],
    ['one'],
  ])
  expect((await throughline.threads({})).threads.every(({ values }) => values === undefined)).toBe(
    true,
  )
  http.close()
})

test('[X21] a thread that authenticate does not open lists nothing', async () => {
  const { ask, throughline } = await mounted(
    {
      authenticate: (request, thread) =>
        thread === 'hers' || thread === undefined || request.headers.get('caller') === 'all'
          ? { role: 'handler', actor: 'h' }
          : undefined,
    },
    claims,
  )
  for (const thread of ['hers', 'his']) {
    await throughline.turn(thread, { agent: 'triage', input: 'pay' }).result
  }
  const { body } = await ask('/api/waits')
  expect((body['waits'] as ThreadWait[]).map(({ thread }) => thread)).toEqual(['hers'])
})

test('a request that knows the list is answered when it changes, or when the routes are closed', async () => {
  const { say, waitsOf, http } = await office()
  const { tag } = await waitsOf(harry)
  const held = waitsOf(harry, `?since=${tag}`)
  await say('pay', ann)
  const changed = await held
  expect(changed.waits).toHaveLength(1)
  const closing = waitsOf(harry, `?since=${changed.tag}`)
  http.close()
  expect((await closing).tag).toBe(changed.tag)
})

test('instructions get the actor, the role and the context of the request, and no record has the context', async () => {
  const { say, throughline } = await office()
  await say('pay', ann)
  const records: string[] = []
  for await (const batch of throughline.log.read('t')) records.push(JSON.stringify(batch))
  expect(records.join('')).not.toContain('P-1')
  const asked = { agent: 'triage', input: 'system', actor: 'ann', role: 'holder' } as const
  const context = { policy: 'P-1' }
  const { text } = await throughline.turn('t', { ...asked, requestContext: context }).result
  expect(text).toContain(`You help ${JSON.stringify({ actor: 'ann', role: 'holder', context })}`)
})

test.each([
  ['no object', ['x'], 500],
  ['a date', { at: new Date(0) }, 500],
  ['a function', { at: () => 1 }, 500],
  ['with a member without a value', { at: undefined, in: [{ deep: undefined }] }, 202],
  ['larger than allowed', { text: 'x'.repeat(REQUEST_CONTEXT_BYTES_MAX) }, 500],
  ['as large as allowed', { text: 'x'.repeat(REQUEST_CONTEXT_BYTES_MAX - 11) }, 202],
])('a context that is %s', async (_name, context, expected) => {
  const { ask } = await mounted(
    { authenticate: () => ({ ...ann, context: context as never }) },
    claims,
  )
  const { status, body } = await ask('/api/threads/t/runs', {}, { agent: 'triage', input: 'x' })
  expect(status).toBe(expected)
  if (expected === 500) expect(body['code']).toBe('authenticate_failed')
})

test('who is known and may not enter gets 403 with the reason', async () => {
  const { ask } = await mounted(
    { authenticate: () => ({ forbidden: 'Your account is closed' }) },
    claims,
  )
  for (const path of ['/api/threads/t/state', '/api/waits']) {
    expect(await ask(path)).toMatchObject({
      status: 403,
      body: { code: 'forbidden', detail: 'Your account is closed' },
    })
  }
})

test.each([
  [
    { handler: { read: 'all', answer: { approvals: ['check'] } } },
    'may not answer approvals of it',
  ],
  [{ handler: { read: 'all' } }, 'may not answer approvals of it'],
  [{ clerk: { read: 'all', answer: true } }, 'is none of its roles "clerk"'],
] as const)(
  'an approval by a role that cannot give it is refused where the application is defined',
  (given, why) => {
    const define = () => defineApp({ name: 'claims', agents: [triage], roles: given as never })
    expect(define).toThrow(`the tool "pay" of "triage" is decided by "handler", which ${why}`)
  },
)
