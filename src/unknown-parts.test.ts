import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent, defineApp, defineDomain, open, scriptedModel } from './public/index.ts'
import { acpAgent, remoteAgent } from './public/programs.ts'
import { routes, serve } from './public/server.ts'
import { forkThread, replayed } from './public/testing.ts'

const { event, domain } = defineDomain<{ readonly n: number }>()
const up = { schema: z.object({}), by: [{ source: 'ui' }], reduce: () => ({ n: 1 }) } as const
const parts = { name: 'd', initial: { n: 0 }, events: { up: event(up) } }
const model = scriptedModel(() => 'x')
const tool = { inputSchema: z.object({}), execute: () => 'x' }

/** A program without types may give anything. */
const given = (value: object) => value as never

test.each([
  [
    'an event type',
    () => domain({ ...parts, events: { up: given({ ...up, gaurd: () => undefined }) } }),
    'its event type "up" cannot be used: it has an unknown "gaurd": did you mean "guard"?',
  ],
  [
    'the personal members of an event type',
    () =>
      domain({
        ...parts,
        events: {
          up: event({ ...up, schema: z.object({ iban: z.string() }), personal: ['ibann'] }),
        },
      }),
    'its `personal` names "ibann", which its schema does not: it has "iban"',
  ],
  [
    'a domain',
    () => domain(given({ ...parts, deadline: [] })),
    'Cannot define domain "d": it has an unknown "deadline": did you mean "deadlines"?',
  ],
  [
    'what an event type begins from',
    () =>
      defineDomain<{ readonly status: string }>().domain({
        name: 'd',
        initial: { status: 'new' },
        events: { up: given({ ...up, from: { sttus: 'new' } }) },
      }),
    'its `from`: it has an unknown "sttus": did you mean "status"?',
  ],
  [
    'a rule',
    () => domain({ ...parts, rules: [given({ name: 'r', propose: () => [], submit: true })] }),
    'its rule "r": it has an unknown "submit": did you mean "submits"?',
  ],
  [
    'an effect',
    () => domain(given({ ...parts, effects: [{ name: 'e', due: () => false, run: () => {} }] })),
    'its effect "e": it has an unknown "run": there are name, due',
  ],
  [
    'an agent',
    () => defineAgent(given({ name: 'a', model, instruction: 'x' })),
    'it has an unknown "instruction": did you mean "instructions"?',
  ],
  [
    'a tool',
    () => defineAgent({ name: 'a', model, tools: { t: given({ ...tool, needApproval: true }) } }),
    'its tool "t": it has an unknown "needApproval": did you mean "needsApproval"?',
  ],
  [
    'an agent on another server',
    () => remoteAgent(given({ name: 'r', url: 'https://a.example', header: {} })),
    'Cannot define agent "r": it has an unknown "header": did you mean "headers"?',
  ],
  [
    'an agent of the Agent Client Protocol',
    () => acpAgent(given({ bin: 'opencode', arg: ['acp'] })),
    'Cannot call acpAgent: it has an unknown "arg": did you mean "args"?',
  ],
  [
    'an application',
    () => defineApp(given({ name: 'a', role: {} })),
    'it has an unknown "role": did you mean "roles"?',
  ],
  [
    'a role',
    () => defineApp({ name: 'a', roles: { r: given({ read: 'all', proposes: 'all' }) } }),
    'its role "r": it has an unknown "proposes": did you mean "propose"?',
  ],
  [
    'what a role reads',
    () =>
      defineApp({ name: 'a', roles: { r: given({ read: { state: () => 0, records: 'all' } }) } }),
    'its role "r": its `read`: it has an unknown "records": did you mean "record"?',
  ],
  [
    'the tools that a role approves',
    () =>
      defineApp({
        name: 'a',
        agents: [defineAgent({ name: 'a', model, tools: { pay: tool } })],
        roles: { r: { read: 'all', answer: { approvals: ['payy'] } } },
      }),
    'its role "r" may approve calls of "payy", which is none of "pay"',
  ],
  [
    'what a role answers',
    () =>
      defineApp({ name: 'a', roles: { r: given({ read: 'all', answer: { approval: true } }) } }),
    'its role "r": its `answer`: it has an unknown "approval": did you mean "approvals"?',
  ],
])('an unknown part of %s is refused where it is defined', (_what, define, said) => {
  expect(define).toThrow(said)
})

test.each([
  [{ store: 'memory:', agent: [] }, 'it has an unknown "agent": did you mean "agents"?'],
  [{ store: 'memory:', apps: [], clocks: 1 }, 'it has an unknown "clocks": did you mean "clock"?'],
])('an unknown option of open is refused: %j', async (options, said) => {
  await expect(open(given(options))).rejects.toThrow(said)
})

test.each([
  [
    { anchorKey: ['k'] },
    'its `storage`: it has an unknown "anchorKey": did you mean "anchorKeys"?',
  ],
  [{ onWarnin: () => {} }, 'did you mean "onWarning"?'],
  [null, 'its `storage`: it must be an object, and is null'],
])('an unknown option of a store is refused: %j', async (storage, said) => {
  await expect(open(given({ store: 'memory:', agents: [], storage }))).rejects.toThrow(said)
})

test.each([
  ['a key as a text', 'anchorKeys is a string'],
  [null, 'anchorKeys is null'],
  [[undefined], 'an anchor key is undefined'],
  [[''], 'an anchor key is empty'],
])('keys that sign nothing are refused: %j', async (anchorKeys, said) => {
  const store = `sqlite:${join(mkdtempSync(join(tmpdir(), 'keys-')), 'log.db')}`
  const options = given({ store, agents: [], storage: { anchorKeys } })
  await expect(open(options)).rejects.toMatchObject({
    code: 'configuration',
    message: expect.stringContaining(said),
  })
})

test('a misspelt limit is refused, of an agent and of all threads', async () => {
  expect(() => defineAgent({ name: 'a', model, limits: given({ stepz: 1 }) })).toThrow(
    'its `limits`: it has an unknown "stepz": did you mean "steps"?',
  )
  await expect(open({ store: 'memory:', limits: given({ token: 1 }) })).rejects.toThrow(
    'its `limits`: it has an unknown "token": did you mean "tokens"?',
  )
})

test('an unknown option of serve or routes is refused', async () => {
  const tl = await open({ store: 'memory:', agents: [] })
  await expect(serve(tl, given({ ports: 0 }))).rejects.toMatchObject({
    code: 'unknown_option',
    message: 'Cannot call serve: it has an unknown "ports": did you mean "port"?',
  })
  expect(() => routes(tl, given({ prefx: '/tl' }))).toThrow(
    'Cannot call routes: it has an unknown "prefx": did you mean "prefix"?',
  )
  expect(() => routes(tl, given({ port: 0 }))).toThrow('it has an unknown "port"')
  await tl.close()
})

test('a tool of the AI SDK may have members of its own', () => {
  const sdk = given({ ...tool, title: 'T', strict: true, toModelOutput: () => 'x' })
  expect(defineAgent({ name: 'a', model, tools: { sdk } }).tools.has('sdk')).toBe(true)
})

test('what waits is listed for a role that there is', async () => {
  const tl = await open({
    store: 'memory:',
    apps: [defineApp({ name: 'a', roles: { clerk: { read: 'all' } } })],
  })
  await expect(tl.waits(given({ role: 'clrek' }))).rejects.toMatchObject({ code: 'unknown_role' })
  expect((await tl.waits({ role: 'clerk' })).waits).toEqual([])
  await tl.close()
})

test('personal members may be those that `complete` adds, and lie deeper', () => {
  const schema = z.object({ contact: z.object({ email: z.string() }) })
  const deep = event({ ...up, schema, personal: ['contact.email'] })
  const added = event({ ...up, schema, complete: () => ({ code: 'x' }), personal: ['code'] })
  expect(domain({ ...parts, events: { deep, added } }).events.size).toBe(2)
})

test('a fork and a replay refuse what they do not know, and say what is missing', async () => {
  const tl = await open({ store: 'memory:', domain: domain(parts) })
  const app = defineApp({ name: 'd', domain: domain(parts) })
  const fork = { origin: tl.log, thread: 't', at: 0 }
  await expect(forkThread(given({ ...fork, app: [] }))).rejects.toThrow('did you mean "apps"?')
  await expect(forkThread(given(fork))).rejects.toThrow('it has no `apps`')
  await expect(replayed(tl.log, app, given({ levl: 1 }))).rejects.toThrow('did you mean "level"?')
  await expect(replayed(tl.log, given(7 as never))).rejects.toMatchObject({ code: 'no_definition' })
  await expect(replayed(given({}), app)).rejects.toMatchObject({ code: 'no_store' })
  await tl.close()
})
