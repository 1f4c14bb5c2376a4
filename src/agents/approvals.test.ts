import { expect, test } from 'vitest'
import { z } from 'zod'
import { EMPTY_RUN_TREE, CallerView, foldRunTree } from '../activity/index.ts'
import { defineDomain } from '../domain/index.ts'
import { scriptedModel } from '../models/index.ts'
import type { ScriptedReply } from '../models/index.ts'
import { defineAgent } from './agent.ts'
import type { Agent } from './agent.ts'
import { expectWhole, memoryLog, withAgents } from './runs.fixture.ts'
import { OPEN_APPROVALS_MAX } from './tools/open-approvals.ts'

interface Claim {
  readonly paid: number
}

const { event, domain } = defineDomain<Claim>()
const claims = domain({
  name: 'claims',
  initial: { paid: 0 },
  events: {
    paid: event({
      schema: z.object({ pounds: z.number(), asker: z.string() }),
      by: [{ source: 'model' }],
      guard: (_state, { asker }, { origin }) =>
        origin.approvedBy?.actor === asker
          ? { refused: 'precondition', detail: 'payer and approver are one person' }
          : undefined,
      reduce: ({ paid }, { pounds }) => ({ paid: paid + pounds }),
    }),
  },
})

/** Pays what it is asked to, and repeats what it is told of each payment. */
const payer = (surface?: string): Agent<Claim> =>
  defineAgent({
    name: 'payer',
    domain: claims,
    ...(surface !== undefined && { surface }),
    tools: {
      pay: {
        inputSchema: z.object({ pounds: z.number() }),
        needsApproval: { by: ['handler', 'chief'], if: ({ pounds }) => pounds > 10 },
        approval: ({ pounds }) => ({ question: `Pay £${pounds}?` }),
        proposes: ['paid'],
        execute: async ({ pounds }, { propose, actor = '', role, context, approvedBy }) => {
          const { refused } = await propose([{ type: 'paid', data: { pounds, asker: actor } }])
          const who = JSON.stringify({ actor, role, context, approvedBy })
          return refused[0]?.detail ?? `£${pounds} paid, ${who}`
        },
      },
      name: {
        inputSchema: z.object({}),
        execute: (_input, { ask }) => ask(z.object({ name: z.string() }), { name: 'Your name?' }),
      },
    },
    model: scriptedModel(({ messages }): ScriptedReply => {
      const last = messages.at(-1)
      if (last?.role === 'tool')
        return last.text.startsWith('Not run yet') ? 'It waits.' : last.text
      const said = last?.text ?? ''
      if (said.startsWith('[The call')) return `Told: ${said}`
      const [, pounds] = /pay (\d+)/.exec(said) ?? []
      if (pounds) return { toolCalls: [{ name: 'pay', input: { pounds: Number(pounds) } }] }
      return said === 'name' ? { toolCalls: [{ name: 'name', input: {} }] } : `You said ${said}`
    }),
  })

const ann = { actor: 'ann', role: 'holder', requestContext: { policy: 'P-1' } }

test('a call that another role approves does not keep its page waiting', async () => {
  const log = memoryLog()
  const { runs, gate } = withAgents([payer()], { domain: claims, log })
  const asked = await runs.start('t', { agent: 'payer', input: 'pay 50', ...ann }).result
  expect(asked).toMatchObject({ reason: 'success', text: 'It waits.', state: { paid: 0 } })
  expect(await runs.start('t', { agent: 'payer', input: 'hello' }).result).toMatchObject({
    text: 'You said hello',
  })

  const { approvals } = (await gate.snapshot('t')).pauses
  expect(approvals).toMatchObject([
    {
      agent: 'payer',
      wait: {
        by: ['handler', 'chief'],
        toolName: 'pay',
        arguments: '{"pounds":50}',
        approval: { question: 'Pay £50?' },
        asker: { actor: 'ann', role: 'holder' },
      },
    },
  ])

  const run = approvals[0]?.wait.run ?? ''
  const values = { approved: true }
  const answer = { run, values, actor: 'harry', role: 'handler', requestContext: { desk: 7 } }
  const done = await runs.resume('t', answer).result
  const who = {
    actor: 'ann',
    role: 'holder',
    context: { desk: 7 },
    approvedBy: { role: 'handler', actor: 'harry' },
  }
  expect(done).toMatchObject({ reason: 'success', state: { paid: 50 } })
  expect(done.text).toContain(`£50 paid, ${JSON.stringify(who)}`)
  expect((await gate.snapshot('t')).pauses.approvals).toEqual([])
  await expect(runs.resume('t', answer).result).rejects.toMatchObject({ code: 'not_waiting' })
  await expectWhole(log)
})

test('the approver is on the record of the answer and of what the tool proposes', async () => {
  const { runs, records } = withAgents([payer()], { domain: claims })
  const { run } = await runs.start('t', { agent: 'payer', input: 'pay 50', ...ann }).result
  await runs.resume('t', { run, values: { approved: true }, actor: 'harry', role: 'chief' }).result
  const all = await records()
  expect(all.find(({ type }) => type === 'paid')?.origin.approvedBy).toEqual({
    role: 'chief',
    actor: 'harry',
  })
  expect(all.findLast(({ type }) => type === 'RUN_STARTED')).toMatchObject({
    origin: { actor: 'harry' },
    data: { metadata: { throughline: { answeredAs: 'chief' } } },
  })
})

test('a guard can refuse that one person asks and approves', async () => {
  const { runs } = withAgents([payer()], { domain: claims })
  const { run } = await runs.start('t', { agent: 'payer', input: 'pay 50', ...ann }).result
  const answer = { run, values: { approved: true }, actor: 'ann', role: 'handler' }
  const { text, state } = await runs.resume('t', answer).result
  expect(text).toContain('payer and approver are one person')
  expect(state.paid).toBe(0)
})

test('a call below the limit needs nobody, and nobody of another role may decide', async () => {
  const { runs } = withAgents([payer()], { domain: claims })
  expect((await runs.start('t', { agent: 'payer', input: 'pay 9' }).result).state.paid).toBe(9)
  const { run } = await runs.start('t', { agent: 'payer', input: 'pay 50' }).result
  const values = { approved: true }
  await expect(runs.resume('t', { run, values, role: 'holder' }).result).rejects.toMatchObject({
    code: 'wrong_role',
    message: '"holder" may not decide about "pay": only "handler", "chief" may',
  })
  await expect(runs.resume('t', { run, values: {} }).result).rejects.toMatchObject({
    code: 'invalid_values',
  })
  expect((await runs.resume('t', { run, values, role: 'operator' }).result).state.paid).toBe(59)
})

test('a refusal reaches the agent with its reason, and the tool does not run', async () => {
  const { runs } = withAgents([payer()], { domain: claims })
  const { run } = await runs.start('t', { agent: 'payer', input: 'pay 50' }).result
  const values = { approved: false, reason: 'not covered' }
  const { text, state } = await runs.resume('t', { run, values, role: 'chief' }).result
  expect(text).toContain('failed: A person did not agree to this call: not covered')
  expect(state.paid).toBe(0)
})

test('two approvals of one run are decided each by its id, in any order', async () => {
  const twice = { ...payer(), model: payTwice() }
  const { runs, gate } = withAgents([twice], { domain: claims })
  const { run } = await runs.start('t', { agent: 'payer', input: 'both' }).result
  const [first, second] = (await gate.snapshot('t')).pauses.approvals.map(({ wait }) => wait.id)
  const values = (id = '', approved = true) => ({ run, values: { [id]: { approved } } })
  await expect(runs.resume('t', { run, values: { approved: true } }).result).rejects.toMatchObject({
    code: 'invalid_values',
  })
  expect((await runs.resume('t', values(second)).result).state.paid).toBe(60)
  expect((await runs.resume('t', values(first, false)).result).state.paid).toBe(60)
})

function payTwice() {
  return scriptedModel(({ messages }): ScriptedReply => {
    if (messages.at(-1)?.text !== 'both') return 'Done.'
    return { toolCalls: [50, 60].map((pounds) => ({ name: 'pay', input: { pounds } })) }
  })
}

test('the same call asks once, and a thread has a limit of open approvals', async () => {
  const { runs, gate } = withAgents([payer()], { domain: claims })
  const ask = (pounds: number) => runs.start('t', { agent: 'payer', input: `pay ${pounds}` }).result
  await ask(50)
  expect((await ask(50)).text).toBe('It waits.')
  expect((await gate.snapshot('t')).pauses.approvals).toHaveLength(1)
  for (let more = 1; more < OPEN_APPROVALS_MAX; more++) await ask(50 + more)
  expect((await ask(1_000)).text).toContain(`${OPEN_APPROVALS_MAX} calls of this thread wait`)
})

test('a question of the page stays open while another role decides', async () => {
  const { runs, gate, records } = withAgents([payer('holder')], { domain: claims })
  const { run } = await runs.start('t', { agent: 'payer', input: 'pay 50' }).result
  const asking = await runs.start('t', { agent: 'payer', input: 'name' }).result
  expect(asking.reason).toBe('interrupt')
  const decided = await runs.resume('t', { run, values: { approved: true } }).result
  expect(decided.state.paid).toBe(50)
  expect((await gate.snapshot('t')).pauses.waiting).toHaveLength(1)
  await runs.resume('t', { run: asking.run, values: { name: 'Ann' } }).result
  expect((await records()).findLast(({ type }) => type === 'TOOL_CALL_RESULT')?.data).toMatchObject(
    {
      content: '{"name":"Ann"}',
    },
  )
})

test('a cancelled approval takes no answer, and its agent reads of it', async () => {
  const { runs, gate, records } = withAgents([payer()], { domain: claims })
  const { run } = await runs.start('t', { agent: 'payer', input: 'pay 50' }).result
  expect(await runs.cancel('t', { run, by: 'holder' })).toBe(true)
  expect((await gate.snapshot('t')).pauses.approvals).toEqual([])
  const answer = runs.resume('t', { run, values: { approved: true } })
  await expect(answer.result).rejects.toMatchObject({ code: 'not_waiting' })
  expect((await records()).findLast(({ type }) => type === 'TOOL_CALL_RESULT')?.data).toMatchObject(
    {
      metadata: { throughline: { error: 'cancelled', late: 'pay' } },
    },
  )
})

test('a sub-agent’s call is decided later too: its caller’s agent is told', async () => {
  const lead = defineAgent({
    name: 'lead',
    domain: claims,
    agents: [payer()],
    model: scriptedModel(({ messages }): ScriptedReply => {
      const last = messages.at(-1)?.text ?? ''
      if (last.startsWith('pay'))
        return { toolCalls: [{ name: 'call_payer', input: { message: last } }] }
      return last.startsWith('[The call') ? `Lead was told: ${last}` : last
    }),
  })
  const log = memoryLog()
  const { runs, gate, records } = withAgents([lead], { domain: claims, log })
  const asked = await runs.start('t', { agent: 'lead', input: 'pay 50' }).result
  expect(asked.text).toBe('It waits.')
  const { wait } = (await gate.snapshot('t')).pauses.approvals[0] ?? {}
  expect(wait).toMatchObject({ agent: 'payer', depth: 1 })
  const run = wait?.run ?? ''
  const { text, state } = await runs.resume('t', { run, values: { approved: true } }).result
  expect(state.paid).toBe(50)
  expect(text).toContain(
    'Lead was told: [The call of pay that waited for a decision gave: £50 paid',
  )
  await expectWhole(log)

  const view = new CallerView()
  const events = (await records()).flatMap((record) => view.take(record))
  const tree = foldRunTree(EMPTY_RUN_TREE, events)
  const [call] = tree.turns[0]?.runs[0]?.items.filter(({ kind }) => kind === 'tool') ?? []
  const below = call?.kind === 'tool' ? call.runs[0]?.items : []
  expect(below?.find(({ kind }) => kind === 'tool')).toMatchObject({
    name: 'pay',
    state: { status: 'done' },
  })
})

test('on its page a call is pending until it is decided', async () => {
  const { runs, records } = withAgents([payer()], { domain: claims })
  await runs.start('t', { agent: 'payer', input: 'pay 50' }).result
  const view = new CallerView()
  const tree = foldRunTree(
    EMPTY_RUN_TREE,
    (await records()).flatMap((record) => view.take(record)),
  )
  const [run] = tree.turns[0]?.runs ?? []
  expect(run?.state.status).toBe('done')
  expect(run?.items.find(({ kind }) => kind === 'tool')).toMatchObject({
    state: { status: 'pending', by: ['handler', 'chief'] },
  })
})

test.each([
  [{ by: [] }, 'names no role'],
  [{ by: '' }, 'names no role'],
  [{ by: 'handler', when: () => true }, 'has "when", which is none of by and if'],
  [{ by: 'handler', if: true }, 'has an "if" that is no function'],
  ['handler', 'is none of true, a function and { by, if? }'],
])('an approval that cannot be asked for is refused where it is defined: %j', (rule, why) => {
  const define = () =>
    defineAgent({
      name: 'a',
      model: scriptedModel(() => 'x'),
      tools: { pay: { inputSchema: z.object({}), needsApproval: rule as never } },
    })
  expect(define).toThrow(`the needsApproval of its tool "pay" ${why}`)
})
