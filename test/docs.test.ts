import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { RECONCILE_ROUNDS_MAX } from '../src/domain/index.ts'
import { HELD_MAX, JSON_DEPTH_MAX, TAG_ATTRIBUTES_MAX, TAG_TYPE_MAX } from '../src/inline/index.ts'
import { stripEventTags } from 'throughline/inline'
import type { DropReason } from 'throughline/inline'
import { SEED_LIFETIME_S } from '../src/server/index.ts'
import { z } from 'zod'
import { SEED_POINTS_MAX, brokerDomain } from '../apps/broker/case/index.ts'
import { disclosureRegistry } from '../apps/broker/disclosures/index.ts'
import { SEED_MESSAGES_BYTES_MAX } from '../apps/broker/routes/recovery-seed.ts'
import type { Hydration } from '../apps/broker/routes/recovery-seed.ts'
import { SEED_LENGTH_MAX } from '../apps/broker/routes/session-routes.ts'
import { newFolder } from './folders.fixture.ts'

const read = (page: string) => readFileSync(page, 'utf8')
const sources = execFileSync('git', ['ls-files', 'apps'], { encoding: 'utf8' }).split('\n')

/** The fenced blocks of one language on a page. */
function blocksOf(page: string, language: string): readonly string[] {
  const fences = page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))
  return Array.from(fences, ([, text = '']) => text)
}

type UntakenReason = Exclude<Hydration, { hydrated: true }>['reason']

const domain = brokerDomain({ disclosures: disclosureRegistry([], String) })

/** The part of a page below a heading, up to the next heading of the same level. */
function section(page: string, heading: string): string {
  const level = heading.slice(0, heading.indexOf(' '))
  const [, after = ''] = page.split(`\n${heading}\n`)
  return after.split(`\n${level} `)[0] ?? ''
}

test.each([...domain.events])(
  '[A059] the events page describes %s with every member',
  (type, entry) => {
    const page = read('docs/events.md')
    const row = page.split('\n').find((line) => line.startsWith(`| \`${type}\` |`))
    const text = section(page, `### \`${type}\``) || (row ?? '')
    const schema = z.toJSONSchema(entry.schema as z.ZodType, {
      io: 'input',
      unrepresentable: 'any',
    })
    const members = Object.keys(schema.properties ?? {})

    expect(text).not.toBe('')
    expect(members.filter((member) => !text.includes(`\`${member}\``))).toEqual([])
  },
)

test('[A083] every type that changed has an upcast for each earlier version, and the page names it', () => {
  const text = section(read('docs/events.md'), '## How a payload changes')
  const changed = [...domain.events].filter(([, { version = 1 }]) => version > 1)

  expect(changed.length).toBeGreaterThan(0)
  for (const [type, { version = 1, upcasts = [] }] of changed) {
    expect(upcasts).toHaveLength(version - 1)
    expect(text).toContain(`\`${type}\` has version ${version}`)
  }
})

test('[A084] [A088] the guide for adding an event has its steps, and says when not to add one', () => {
  const text = section(read('CONTRIBUTING.md'), '## Adding an event type')
  expect(text.match(/^\d\. /gm)).toHaveLength(5)
  expect(text).toContain('otherwise use an existing one')
})

test('[A086] the event protocol page shows what the parser returns, with its limits', () => {
  const page = read('docs/event-protocol.md')
  const [example = ''] = blocksOf(page, 'text')
  const [parsed = ''] = blocksOf(page, 'json')
  const { display, events } = stripEventTags(example)

  expect({ display, events }).toEqual(JSON.parse(parsed))
  for (const limit of [HELD_MAX, JSON_DEPTH_MAX, TAG_ATTRIBUTES_MAX, TAG_TYPE_MAX]) {
    expect(page).toContain(limit.toLocaleString('en'))
  }
  const dropped: Record<DropReason, string> = {
    malformed: '<agent-event type="a" data=\'{"id":}\' />',
    too_large: `<agent-event type="a" data='{"id":"${'x'.repeat(HELD_MAX)}"}' />`,
    truncated: '<agent-event type="a"',
    limit: `<agent-event type="${'a'.repeat(TAG_TYPE_MAX + 1)}" />`,
    quoted: '`<agent-event type="a" />`',
  }
  for (const [reason, text] of Object.entries(dropped)) {
    expect(stripEventTags(text).dropped).toMatchObject([{ reason }])
    expect(page).toContain(`| \`${reason}\` |`)
  }
})

test('[A086] each dialect on the event protocol page reads its example', () => {
  const rows = [
    ...read('docs/event-protocol.md').matchAll(/^\| (?:literal|flattened|folded) \| `(.+?)` \|/gm),
  ]
  const read_ = rows.map(([, data]) => stripEventTags(`<agent-event type="a" ${data} />`).events)

  expect(read_).toEqual(
    Array.from({ length: 3 }, () => [{ type: 'a', data: { id: 'service_status' } }]),
  )
})

test('[A087] the event protocol page maps the credit broking protocol to event types that exist', () => {
  const text = section(read('docs/event-protocol.md'), '## Why tags and not tool calls')
  const named = [...text.matchAll(/`([a-z]+_?[a-z_]*)`/g)].map(([, name = '']) => name)
  const types = named.filter((name) => name !== 'emits')

  expect(types.length).toBeGreaterThan(10)
  expect(types.filter((type) => !domain.events.has(type))).toEqual([])
})

test('[B066] the reconciliation page lists every rule with its proposals', () => {
  const page = read('docs/reconciliation.md')
  const rows = [...page.matchAll(/^\| (R\d) \| .+? \| `(\w+)`.*? \| (\w+) \|$/gm)]

  expect(rows.map(([, name, , pass]) => [name, pass])).toEqual(
    domain.rules.map(({ name, submits }) => [name, submits ? 'submit' : 'derive']),
  )
  expect(rows.filter(([, , type = '']) => !domain.events.has(type))).toEqual([])
  expect(page).toContain(`${RECONCILE_ROUNDS_MAX} rounds`)
})

test('[B066] the cold-start page names the bounds of a seed and every answer to one that is not taken', () => {
  const page = read('docs/cold-start-recovery.md')
  const bounds = [
    `newest ${SEED_POINTS_MAX} facts`,
    `${SEED_MESSAGES_BYTES_MAX / 1_024} KiB a side`,
    `${SEED_LIFETIME_S / 86_400} days`,
    SEED_LENGTH_MAX.toLocaleString('en-GB'),
  ]
  expect(bounds.filter((bound) => !page.includes(bound))).toEqual([])
  const reasons = [...page.matchAll(/`reason: "(\w+)"`/g)].map(([, reason]) => reason)
  expect(reasons).toEqual(['already_held', 'forked', 'invalid_seed'] satisfies UntakenReason[])
})

test('[B059] every seam on the page of mocks is a file, and no mocked part lies outside', () => {
  const text = section(
    read('docs/mock-or-real.md'),
    '## Mocked, and the seam behind which the real thing goes',
  )
  const mocked = ['built-in-panel', 'demo-addresses', 'scripted-narrator', 'firm']
  expect(mocked.filter((file) => !text.includes(`${file}.ts`))).toEqual([])

  const invented = sources.filter((file) => /(?:demo|mock|built-in)-[\w-]+\.ts$/.test(file))
  expect(invented.length).toBeGreaterThan(0)
  expect(invented.filter((file) => !text.includes(file.split('/').at(-1) ?? ''))).toEqual([])
})

test('[B060] the fail-safe page covers every reason of a refusal and ends in no regulated change', () => {
  const page = read('docs/fail-safe.md')
  const diagram = blocksOf(page, 'mermaid').join('')
  const failures = ['Refused', 'Lost']

  for (const failure of failures) expect(diagram).toMatch(new RegExp(`${failure} --> Unchanged`))
  expect(diagram).toContain('Unchanged --> [*]: no regulated change')
  const reasons = ['not_authorised', 'echoed', 'evidence_mismatch', 'key_reused', 'effect_failed']
  expect(reasons.filter((reason) => !page.includes(reason))).toEqual([])
})

test('[B061] the diagram of the turn has its steps in the order in which they are recorded', () => {
  const diagram = blocksOf(read('docs/turn.md'), 'mermaid').join('')
  const steps = [
    'RUN_STARTED',
    'direct events',
    'rules R1 and R2',
    'message, notes for the model',
    'instructions from the state now, history',
    'prose as it comes',
    'events of the output, in order',
    'rules R1, R2 and R3',
    'effect_requested',
    'RUN_FINISHED',
    'new seed',
  ]
  const places = steps.map((step) => diagram.indexOf(step))

  expect(steps.filter((_, index) => places[index] === -1)).toEqual([])
  expect(places).toEqual(places.toSorted((one, other) => one - other))
})

test('[B062] the reading order leads from the types to the decision engine, by files that exist', () => {
  const rows = section(read('docs/turn.md'), '## Reading order')
    .split('\n')
    .filter((line) => line.startsWith('| the'))
  const links = (row: string) =>
    [...row.matchAll(/\]\((?:\.\.\/)?([^)]+)\)/g)].map(([, path = '']) => path)
  const expected = [
    'case/state.ts',
    'narrator/offered-events.ts',
    'case/rules.ts',
    'routes/chat-routes.ts',
    'routes/turn-result.ts',
    'lenders/waterfall.ts',
  ]

  expect(rows.map((row) => links(row)[0])).toEqual(expected.map((file) => `apps/broker/${file}`))
})

test('the package table of the contract names every import, and only exports that exist', () => {
  const text = section(read('docs/contract.md'), '## Package')
  const rows = [...text.matchAll(/^\| `(throughline[\w/-]*)` \| (.+?) \|$/gm)]
  const { exports } = JSON.parse(read('package.json')) as { exports: Record<string, unknown> }

  expect(rows.map(([, name = '']) => name.replace(/^throughline/, '.')).toSorted()).toEqual(
    Object.keys(exports).toSorted(),
  )
  for (const [, name = '', names = ''] of rows) {
    const [, exported = ''] = read('docs/reference.md').split(`## \`${name}\`\n`)
    const missing = [...names.matchAll(/`(\w+)`/g)].filter(
      ([, each = '']) => !exported.split('\n## ')[0]?.includes(`\n| \`${each}\` |`),
    )
    expect(missing.map(([, each]) => `${name}: ${each}`)).toEqual([])
  }
})

test('whatever a page of the docs imports from the package is in its reference', () => {
  const pages = execFileSync('git', ['ls-files', 'docs', 'README.md'], { encoding: 'utf8' })
  const imports = pages
    .split('\n')
    .filter((page) => page.endsWith('.md'))
    .flatMap((page) => [
      ...read(page).matchAll(/^import (?:type )?\{([^}]*)\} from '(throughline[^']*)'/gm),
    ])
  const missing = imports.flatMap(([, names = '', from = '']) => {
    const [, listed = ''] = read('docs/reference.md').split(`## \`${from}\`\n`)
    const [section = ''] = listed.split('\n## ')
    const imported = names.split(',').map((name) => name.trim().replace(/^type /, ''))
    return imported.filter((name) => name !== '' && !section.includes(`\n| \`${name}\` |`))
  })

  expect(imports.length).toBeGreaterThan(50)
  expect(missing).toEqual([])
})

test('the page of limits names every limit of the package with its value, and none that is gone', () => {
  const rows = read('docs/limits.md').split('\n')
  const files = execFileSync('git', ['ls-files', 'src', 'apps'], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => /\.tsx?$/.test(file) && !/\.(test|fixture)\./.test(file))
  const limit = /^(?:export )?const (\w+_MAX(?:_MS|_CHARS)?) = ([\d_]+)$/gm
  const wrong = files
    .filter((file) => file.startsWith('src/'))
    .flatMap((file) => [...read(file).matchAll(limit)])
    .map(([, name = '', digits = '']) => [name, Number(digits.replaceAll('_', ''))] as const)
    .filter(([name, value]) => {
      const said = value.toLocaleString('en')
      return !rows.some((row) => row.includes(`\`${name}\``) && row.includes(said))
    })
  const code = files.map(read).join('\n')
  const named = [...rows.join('\n').matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(
    ([, name = '']) => name,
  )

  expect(wrong).toEqual([])
  expect(named.filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).toEqual([])
})

test('[C032] the agents page maps every name of the seed to an event that callers get', () => {
  const text = read('docs/agents.md')
  const names = [
    'PromptStarted',
    'ChatOutput',
    'ToolCall',
    'ToolOutput',
    'ToolResult',
    'FinishCompletion',
    'TurnEnd',
  ]
  const rows = names.map(
    (name) => new RegExp(`^\\| \`${name}\` \\| (.+?) \\|`, 'm').exec(text)?.[1] ?? '',
  )
  const listed = section(text, '## What the caller sees')

  for (const row of rows) {
    const ours = [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name)
    expect(ours.length).toBeGreaterThan(0)
    for (const name of ours) expect(listed).toContain(`\n| \`${name}\` |`)
  }
})

test('[D114] the page of the architecture draws the log between who proposes and who reads', () => {
  const drawing = read('ARCHITECTURE.md').split('```')[1] ?? ''
  const parts = ['who proposes', 'the gate', 'the log', 'who reads', 'append', 'fold']
  expect(parts.filter((part) => !drawing.includes(part))).toEqual([])
})

const guidePages = readdirSync('docs/guide').filter((file) => file !== 'README.md')

test('the list of the guide links each of its pages', () => {
  const list = read('docs/guide/README.md')
  expect(guidePages.filter((file) => !list.includes(`](${file})`))).toEqual([])
})

/** Pages whose samples need the checkout; `test/package` runs those of the others with the installed package. */
const samplePages: readonly (readonly [file: string, page: string])[] = [
  ['docs/guide/broker.md', read('docs/guide/broker.md')],
  ['docs/agents.md', read('docs/agents.md')],
  ['docs/reconciliation.md', read('docs/reconciliation.md')],
  ['docs/threads.md', section(read('docs/threads.md'), '## The list')],
]

test('the samples of these pages print what the page shows', () => {
  // Inside the checkout, whose packages they import. One process loads the sources for all pages.
  mkdirSync('test/.output', { recursive: true })
  const folder = newFolder(resolve('test/.output'))
  const files = samplePages.map(([, page], at) => {
    const file = join(folder, `${at}.ts`)
    const program = blocksOf(page, 'ts').join('\n')
    writeFileSync(file, program.replaceAll("from './", `from '${resolve('.')}/`))
    return file
  })
  const END = '--- the end of a page ---\n'
  const program = `for (const file of ${JSON.stringify(files)}) {
    await import(file)
    process.stdout.write(${JSON.stringify(END)})
  }`
  const flags = ['--conditions=throughline-source', '--input-type=module', '--eval']
  const said = execFileSync(process.execPath, [...flags, program], { encoding: 'utf8' })
  const printed = said.split(END).map((text, at) => [samplePages[at]?.[0], text])
  const shown = samplePages.map(([file, page]) => [file, blocksOf(page, 'text').join('')])
  expect(printed).toEqual([...shown, [undefined, '']])
})
