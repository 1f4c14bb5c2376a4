import { expect, test } from 'vitest'
import type { InputFile } from '../activity/index.ts'
import { defineAgent } from './index.ts'
import { INPUT_FILES_CHARS_MAX, INPUT_FILES_MAX } from './scope/input-files.ts'
import { eventsOf, expectWhole, overheard, replies, withAgents } from './runs.fixture.ts'

const PHOTO: InputFile = {
  type: 'image',
  source: { type: 'data', value: 'iVBORw0KGgo=', mimeType: 'image/png' },
}
const PLAN: InputFile = {
  type: 'document',
  source: { type: 'url', value: 'https://example.com/plan.pdf', mimeType: 'application/pdf' },
}
const SAYS = { type: 'text', text: 'What is this?' } as const
const files = ['image/*', 'application/pdf']

test('a model gets the text and the files of a prompt, and the log holds them', async () => {
  const { model, calls } = overheard(replies('A roof.'))
  const { runs, log, records } = withAgents([defineAgent({ name: 'A', model, files })])
  const turn = runs.start('t', { agent: 'A', input: [SAYS, PHOTO, PLAN] })
  expect(await turn.result).toMatchObject({ reason: 'success', text: 'A roof.' })
  expect(calls[0]?.prompt.at(-1)).toEqual({
    role: 'user',
    content: [
      SAYS,
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'iVBORw0KGgo=' } },
      {
        type: 'file',
        mediaType: 'application/pdf',
        data: { type: 'url', url: new URL(PLAN.source.value) },
      },
    ],
  })
  const said = (await records()).find(({ type }) => type === 'TEXT_MESSAGE_CONTENT')
  expect(said?.data).toMatchObject({ metadata: { throughline: { files: [PHOTO, PLAN] } } })
  const [prompt] = await eventsOf(turn)
  expect(prompt).toMatchObject({ type: 'prompt_started', content: SAYS.text, files: [PHOTO, PLAN] })
  await expectWhole(log)
})

test('a model of the older interface gets a file in its form', async () => {
  const { model, calls } = overheard(replies('A roof.'))
  const older = Object.assign(Object.create(model) as typeof model, { specificationVersion: 'v3' })
  const { runs } = withAgents([defineAgent({ name: 'A', model: older, files })])
  const image: InputFile = {
    type: 'image',
    source: { type: 'url', value: 'https://example.com/a' },
  }
  await runs.start('t', { agent: 'A', input: [PHOTO, image] }).result
  expect(calls[0]?.prompt.at(-1)?.content).toEqual([
    { type: 'file', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
    { type: 'file', mediaType: 'image/*', data: new URL('https://example.com/a') },
  ])
})

test('later turns give the model the files again, and an agent that reads none is told of them', async () => {
  const { model, calls } = overheard(replies('A roof.', 'Slate.', 'I cannot see it.'))
  const reader = defineAgent({ name: 'A', model, files })
  const { runs } = withAgents([reader, defineAgent({ name: 'B', model })])
  await runs.start('t', { agent: 'A', input: [SAYS, PHOTO] }).result
  await runs.start('t', { agent: 'A', input: 'And its cover?' }).result
  await runs.start('t', { agent: 'B', input: 'What do you see?' }).result
  expect(JSON.stringify(calls[1]?.prompt)).toContain('"image/png"')
  expect(JSON.stringify(calls[2]?.prompt)).not.toContain('iVBOR')
  expect(JSON.stringify(calls[2]?.prompt)).toContain(
    'A file of the type image/png, which you cannot',
  )
})

const bytes = (value: string) => ({ ...PHOTO, source: { ...PHOTO.source, value } })
const at = (value: string) => ({ ...PLAN, source: { ...PLAN.source, value } })

test.each<[string, unknown, string]>([
  [
    'of a type that the agent does not read',
    [{ ...PHOTO, type: 'audio', source: { ...PHOTO.source, mimeType: 'audio/wav' } }],
    'it reads "image/*", "application/pdf"',
  ],
  ['that is no base64', [bytes('what?')], 'is not base64'],
  ['that is a data URL', [bytes('data:image/png;base64,AAAA')], 'give the base64 behind its comma'],
  ['with a misspelt member', [{ ...PHOTO, nme: 'x' }], 'it has an unknown "nme"'],
  [
    'with a misspelt type',
    [{ ...PHOTO, source: { ...PHOTO.source, mimetype: 'x' } }],
    'did you mean "mimeType"?',
  ],
  ['beside a text with more', [{ type: 'text', text: 'x', id: 1 }], 'it has an unknown "id"'],
  ['that is empty', [bytes('')], 'has no `value`'],
  ['on the disk of the server', [at('file:///etc/passwd')], 'begins with https://'],
  [
    'by the id of a provider',
    [{ type: 'image', source: { type: 'file', value: 'file-1' } }],
    'neither of the type',
  ],
  [
    'without a type',
    [{ type: 'image', source: { type: 'data', value: 'AAAA' } }],
    'says no `mimeType`',
  ],
  [
    'too many',
    Array.from({ length: INPUT_FILES_MAX + 1 }, () => PHOTO),
    `at most ${INPUT_FILES_MAX}`,
  ],
  ['larger than an expression can take', [bytes('A'.repeat(8_000_000))], 'make them smaller'],
  ['too large together', [bytes('A'.repeat(INPUT_FILES_CHARS_MAX)), PHOTO], 'make them smaller'],
  ['that is no part', ['Hello'], 'its type is none of'],
  ['a number', 7, 'it is a number'],
])('a file %s is refused, and nothing is recorded', async (_what, input, why) => {
  const { runs, records } = withAgents([defineAgent({ name: 'A', model: replies(''), files })])
  const turn = runs.start('t', { agent: 'A', input: input as string })
  await expect(turn.result).rejects.toThrow(why)
  expect(await records()).toEqual([])
})

test('as many bytes as are allowed fit on record', async () => {
  const { runs } = withAgents([defineAgent({ name: 'A', model: replies('Big.'), files })])
  const input = [SAYS, bytes('A'.repeat(INPUT_FILES_CHARS_MAX))]
  expect(await runs.start('t', { agent: 'A', input }).result).toMatchObject({ text: 'Big.' })
})

test('an agent without `files` is given text alone', async () => {
  const { runs } = withAgents([defineAgent({ name: 'A', model: replies('') })])
  const turn = runs.start('t', { agent: 'A', input: [PHOTO] })
  await expect(turn.result).rejects.toThrow('it reads text alone; name what its model reads')
})

test('options of the provider go with each call of the model', async () => {
  const { model, calls } = overheard(replies('Yes.'))
  const providerOptions = { anthropic: { effort: 'low' } }
  const { ask } = withAgents([defineAgent({ name: 'A', model, providerOptions })])
  await ask('Go').result
  expect(calls[0]?.providerOptions).toEqual(providerOptions)
})

test.each([
  [{ files: ['images'] }, 'which is no media type'],
  [{ files: 'image/*' }, 'its `files` must be a list'],
  [{ providerOptions: { anthropic: 'low' } }, 'is no object of options'],
  [{ providerOptions: { anthropic: { at: new Date() } } }, 'are no JSON'],
])('an agent with %j is refused', (given, why) => {
  const parts: object = given
  expect(() => defineAgent({ name: 'A', model: replies(''), ...parts })).toThrow(why)
})
