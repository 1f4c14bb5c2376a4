import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent, defineDomain, open, scriptedModel, tool } from './public/index.ts'

const helper = defineAgent({ name: 'helper', model: scriptedModel(() => 'Hello') })

/** A program without types may give anything. */
const given = (value: unknown) => value as never

const NO_TEXT =
  'Cannot take a message without a `text`: give { id, text }, or what the person says as `input`; ' +
  'the thread keeps the messages before it'
const list = 'the events must be a list of { type, data }'

test.each([
  [undefined, 'Cannot ask: the request is undefined; give { agent, input }'],
  ['Hello', 'Cannot ask: the request is a string; give { agent, input }'],
  [
    { agent: 'helper', imput: 'Hi' },
    'Cannot ask: it has an unknown "imput": did you mean "input"?',
  ],
  [
    { agent: 'helper', input: { text: 'Hi' } },
    'Cannot ask: its `input` must be a text or a list of parts, and is an object',
  ],
  [
    { agent: 'helper', input: 'Hi', key: 5 },
    'Cannot ask: its `key` must be a text, and is a number',
  ],
  [{ agent: 'helper', events: { type: 'up', data: {} } }, `Cannot ask: ${list}, not an object`],
  [{ agent: 'helper', messages: [{ role: 'user', content: 'Hi' }] }, NO_TEXT],
  [{ agent: 'helper', messages: [{ id: 'a', role: 'user', parts: [{ type: 'text' }] }] }, NO_TEXT],
  [
    { agent: 'helper', messages: [{ text: 'Hi' }] },
    'Cannot take the id of a message: it is undefined, it must have 1 to 512 characters',
  ],
  [
    { agent: 'helper', messages: 'Hi' },
    'Cannot take the messages: they must be a list, and are a string',
  ],
  [
    { agent: 'helper', tools: { confirm: {} } },
    'Cannot take the tools: they must be a list, and are an object',
  ],
])('a turn for what is no request is refused, with what to give: %j', async (request, message) => {
  const tl = await open({ store: 'memory:', agents: [helper] })
  const ask = async () => tl.turn('t', given(request)).result
  await expect(ask()).rejects.toMatchObject({ code: 'invalid_request', message })
  expect(await tl.log.head('t')).toBe(-1)
  await tl.close()
})

test.each([
  [undefined, 'Cannot resume: the request is undefined; give { run, values }'],
  [
    { run: 'r', values: true },
    'Cannot resume: its `values` must be an object, such as { approved: true }, and is a boolean',
  ],
  [{ run: 'r', value: {} }, 'Cannot resume: it has an unknown "value": did you mean "values"?'],
])('an answer that is none is refused, with what to give: %j', async (request, message) => {
  const tl = await open({ store: 'memory:', agents: [helper] })
  const answer = async () => tl.resume('t', given(request)).result
  await expect(answer()).rejects.toMatchObject({ code: 'invalid_request', message })
  await tl.close()
})

test.each([
  [{ approve: true }, 'no question asks for "approve": did you mean "approved"?'],
  [{ answer: true }, 'no question asks for "answer"; it asks for "approved"'],
  [{ approved: 'yes' }, '"approved" must be true or false, and is a string'],
])('values that fit no approval are refused, with those that would: %j', async (values, why) => {
  const pay = tool({ inputSchema: z.object({}), needsApproval: true, execute: () => 'paid' })
  const model = scriptedModel(({ index }) =>
    index === 0 ? { toolCalls: [{ name: 'pay', input: {} }] } : 'Done',
  )
  const agents = [defineAgent({ name: 'clerk', model, tools: { pay } })]
  const tl = await open({ store: 'memory:', agents })
  const { run } = await tl.turn('t', { agent: 'clerk', input: 'Pay' }).result
  await expect(tl.resume('t', { run, values }).result).rejects.toMatchObject({
    code: 'invalid_values',
    message: `Cannot resume: ${why}`,
  })
  await tl.close()
})

test.each([
  [{ type: 'up', data: {} }, `Cannot propose: ${list}, not an object`],
  [undefined, `Cannot propose: ${list}, not undefined`],
  [['up'], 'Cannot propose: one of the events is a string; give { type, data }'],
  [[{ data: {} }], 'Cannot propose: one of the events has no text `type`; give { type, data }'],
  [[undefined], 'Cannot propose: one of the events is undefined; give { type, data }'],
])('a proposal that is no list of events is refused: %j', async (events, message) => {
  const tl = await open({ store: 'memory:', agents: [helper] })
  await expect(tl.propose('t', given(events))).rejects.toMatchObject({
    code: 'invalid_request',
    message,
  })
  await tl.close()
})

test.each([
  [undefined, 'Cannot propose: the proposer is undefined; give { source, surface?, actor? }'],
  [
    { source: 'ui', acter: 'ann' },
    'Cannot propose: it has an unknown "acter": did you mean "actor"?',
  ],
])('a proposer that is none is refused: %j', async (proposer, message) => {
  const tl = await open({ store: 'memory:', agents: [helper] })
  expect(() => tl.as(given(proposer))).toThrow(
    expect.objectContaining({ code: 'invalid_request', message }),
  )
  await tl.close()
})

const stores = 'give "sqlite:PATH", "postgres://…", "memory:" or an open log'

test.each([
  [undefined, `Cannot open a log: there is no \`store\`; ${stores}`],
  ['memory:', 'Cannot open: the options are a string; give { store, agents }'],
  [{ store: 5 }, `Cannot open a log: its \`store\` is a number; ${stores}`],
  [{ store: null }, `Cannot open a log: its \`store\` is null; ${stores}`],
])('open without a store that can be opened says what to give: %j', async (options, message) => {
  await expect(open(given(options))).rejects.toMatchObject({ code: 'configuration', message })
})

test('a tool that its page does not list is not run, and the model reads why', async () => {
  const heard: string[] = []
  const model = scriptedModel(({ messages, index }) => {
    heard.push(messages.at(-1)?.text ?? '')
    return index === 0 ? { toolCalls: [{ name: 'confirm', input: {} }] } : 'Done'
  })
  const tools = { confirm: tool({ inputSchema: z.object({}) }) }
  const tl = await open({ store: 'memory:', agents: [defineAgent({ name: 'a', model, tools })] })
  await tl.turn('t', { agent: 'a', input: 'Go', tools: [{ name: 'other' }] }).result
  expect(heard[1]).toContain(
    'Cannot call "confirm": the page that asked does not list it among its tools',
  )
  await tl.close()
})

test('a turn of an unknown agent that nothing waits for is an unhandled rejection that names it', () => {
  const program = `
    import { defineAgent, open, scriptedModel } from 'throughline'
    const helper = defineAgent({ name: 'helper', model: scriptedModel(() => 'Hello') })
    const tl = await open({ store: 'memory:', agents: [helper] })
    const ask = () => tl.turn('t', { agent: 'helpr', input: 'Hi' })
    const handled = () => console.log('handled')
    await ask().result.catch(handled)
    try {
      for await (const event of ask()) console.log(event)
    } catch {
      handled()
    }`
  const run = (code: string) => {
    const flags = ['--conditions=throughline-source', '--input-type=module', '-e', code]
    return spawnSync(process.execPath, flags, { encoding: 'utf8' })
  }
  const { status, stdout } = run(`${program}\nawait tl.close()`)
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'handled\nhandled\n' })
  const unawaited = run(`${program}\nask()`)
  expect(unawaited.status).toBe(1)
  expect(unawaited.stderr).toContain('Cannot ask "helpr": the agents are "helper"')
})

test('a fault of background work is reported once, whatever meets it', async () => {
  const { event, domain } = defineDomain<{ readonly n: number }>()
  const faults: string[] = []
  const tl = await open({
    store: 'memory:',
    domain: domain({
      name: 'd',
      initial: { n: 0 },
      events: {
        up: event({ schema: z.object({}), by: [{ source: 'ui' }], reduce: () => ({ n: 1 }) }),
      },
      deadlines: [
        {
          name: 'late',
          due: ({ n }) => {
            if (n > 0) throw new Error('no time')
            return undefined
          },
        },
      ],
    }),
    onFault: (error, thread) => faults.push(`${thread}: ${String(error)}`),
  })
  await tl.propose('t', [{ type: 'up', data: {} }])
  await tl.propose('t', [{ type: 'up', data: {} }])
  await tl.propose('other', [{ type: 'up', data: {} }])
  await tl.settled()
  await tl.close()
  expect(faults.toSorted()).toEqual(['other: Error: no time', 't: Error: no time'])
})
