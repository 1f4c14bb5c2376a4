import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { brokerDomain } from '../apps/broker/case/index.ts'
import { disclosureRegistry } from '../apps/broker/disclosures/index.ts'

const read = (page: string) => readFileSync(page, 'utf8')
const domain = brokerDomain({ disclosures: disclosureRegistry([], String) })

test('[A059] [A083] the events page describes every event type, and how a payload may change', () => {
  const page = read('docs/events.md')
  const missing = [...domain.events.keys()].filter((type) => !page.includes(`\`${type}\``))
  expect(missing).toEqual([])
  expect(page).toMatch(/upcast/)
})

test('[A084] the guide for adding an event is there', () => {
  expect(read('CONTRIBUTING.md')).toMatch(/## Adding an event type/)
})

test('[B059] [B060] [B061] [B062] the pages that explain the boundaries are there', () => {
  expect(read('docs/mock-or-real.md')).toContain('apps/broker/lenders')
  expect(read('docs/fail-safe.md')).toContain('no regulated change')
  expect(read('docs/turn.md')).toContain('```mermaid')
  for (const file of [
    'case/state.ts',
    'narrator/',
    'case/rules.ts',
    'routes/chat-routes.ts',
    'lenders/',
  ]) {
    expect(read('docs/turn.md')).toContain(`apps/broker/${file}`)
  }
})

test('what the agents page shows is what its code prints', () => {
  const page = read('docs/agents.md')
  const blocks = (kind: string) =>
    [...page.matchAll(new RegExp(`^\`\`\`${kind}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, text]) => text)
  const flags = ['--conditions=throughline-source', '--input-type=module-typescript', '--eval']
  const program = blocks('ts').join('\n')
  const printed = execFileSync(process.execPath, [...flags, program], { encoding: 'utf8' })
  expect(printed).toBe(blocks('text').join(''))
})
