import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent, tool } from './index.ts'
import { OUTPUT_ATTEMPTS_MAX } from './run/output.ts'
import { calling, expectWhole, overheard, replies, withAgents } from './runs.fixture.ts'

const output = z.object({ city: z.string(), days: z.number().int().max(9) })
const FITS = { city: 'Bern', days: 3 }
const text = JSON.stringify(FITS)

test('an agent with an output asks the model for JSON, and the result holds it', async () => {
  const { model, calls } = overheard(replies(text))
  const { ask, log, records } = withAgents([defineAgent({ name: 'A', model, output })])
  expect(await ask('Where to?').result).toMatchObject({ reason: 'success', text, output: FITS })
  expect(calls[0]?.responseFormat).toMatchObject({
    type: 'json',
    schema: { type: 'object', properties: { city: { type: 'string' } } },
  })
  expect(JSON.stringify(calls[0]?.prompt)).toContain('fits this JSON Schema')
  expect((await records()).at(-1)).toMatchObject({ type: 'RUN_FINISHED', data: { result: FITS } })
  await expectWhole(log)
})

test('an agent without an output is asked for text, and its result has none', async () => {
  const { model, calls } = overheard(replies(text))
  const { ask } = withAgents([defineAgent({ name: 'A', model })])
  expect(await ask('Where to?').result).not.toHaveProperty('output')
  expect(calls[0]).not.toHaveProperty('responseFormat')
})

test('an agent with an output calls its tools first', async () => {
  const days = tool({ inputSchema: z.object({ city: z.string() }), execute: () => 3 })
  const model = replies(calling(['days', { city: 'Bern' }]), text)
  const { ask } = withAgents([defineAgent({ name: 'A', model, output, tools: { days } })])
  expect(await ask('Where to?').result).toMatchObject({ output: FITS })
})

test.each([
  ['Bern is nice', 'it is no JSON'],
  ['{"city":"Bern","days":', 'it is no JSON'],
  ['{"city":"Bern","days":12}', 'days: Too big'],
  ['[]', 'expected object'],
  ['null', 'expected object'],
  ['```\n```', 'it is no JSON'],
  ['['.repeat(20_000), 'it is no JSON'],
  ['```\n'.repeat(5_000), 'it is no JSON'],
  ['{"city":"Bern","days":1e999}', 'days: '],
])('the answer %.40s is asked for again, with its fault named', async (wrong, fault) => {
  const { model, calls } = overheard(replies(wrong, text))
  const { ask, log } = withAgents([defineAgent({ name: 'A', model, output })])
  expect(await ask('Where to?').result).toMatchObject({ reason: 'success', output: FITS, text })
  const [, second] = calls
  expect(JSON.stringify(second?.prompt.slice(1))).toContain('The answer does not fit')
  expect(JSON.stringify(second?.prompt.slice(1))).toContain(fault)
  await expectWhole(log)
})

test('a model that never gives a fitting answer ends the turn as `invalid_output`', async () => {
  const { model, calls } = overheard(replies('{"city":7}'))
  const { ask, log } = withAgents([defineAgent({ name: 'A', model, output })])
  const result = await ask('Where to?').result
  expect(result).toMatchObject({
    reason: 'error',
    error: { code: 'invalid_output', message: expect.stringContaining('city: ') },
  })
  expect(result).not.toHaveProperty('output')
  expect(calls).toHaveLength(OUTPUT_ATTEMPTS_MAX)
  await expectWhole(log)
})

test('a JSON answer in a block of Markdown counts', async () => {
  const model = replies(`\`\`\`json\n${text}\n\`\`\``)
  const { ask } = withAgents([defineAgent({ name: 'A', model, output })])
  expect(await ask('Where to?').result).toMatchObject({ output: FITS })
})

test('a turn that is asked for twice under one key gives its output twice', async () => {
  const { runs } = withAgents([defineAgent({ name: 'A', model: replies(text, 'no'), output })])
  const request = { agent: 'A', input: 'Where to?', key: '1' }
  for (let at = 0; at < 2; at++) {
    expect(await runs.start('t', request).result).toMatchObject({ output: FITS })
  }
})

test('a sub-agent with an output answers with checked JSON', async () => {
  const low = defineAgent({ name: 'low', model: replies('Bern', text), output })
  const { model, calls } = overheard(replies(calling(['call_low', { message: 'Go' }]), 'Done'))
  const { ask, log } = withAgents([defineAgent({ name: 'A', model, agents: [low] })])
  const result = await ask('Where to?').result
  expect(result).toMatchObject({ text: 'Done' })
  expect(result).not.toHaveProperty('output')
  expect(JSON.stringify(calls[1]?.prompt.at(-1))).toContain('Bern')
  await expectWhole(log)
})

test('a schema whose value JSON cannot hold ends the turn as `invalid_output`', async () => {
  const dated = z.object({ on: z.string().transform((on) => new Date(on)) })
  const model = replies('{"on":"2026-01-01"}')
  const { ask } = withAgents([defineAgent({ name: 'A', model, output: dated })])
  expect(await ask('When?').result).toMatchObject({ error: { code: 'invalid_output' } })
})

test('an output that cannot be asked for is refused', () => {
  const model = replies('')
  const defined = (parts: object) => () => defineAgent({ name: 'A', model, output, ...parts })
  expect(defined({ surface: 'chat' })).toThrow('it has a surface, where people read text')
  expect(defined({ output: {} })).toThrow('its output gives no JSON Schema')
  const program = { ask: () => undefined }
  expect(defined({ model: undefined, program })).toThrow()
  const list = defineAgent({ name: 'A', model, output: z.array(z.string()) })
  expect(() => withAgents([list])).toThrow('its output takes no object')
})
