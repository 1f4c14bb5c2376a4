import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

interface Told {
  readonly name: string
  readonly parent: string | null
  readonly trace: string
  readonly isValid: boolean
  readonly isInOrder: boolean
}

test('the SDK of OpenTelemetry gets a turn as one tree of spans', () => {
  const program = fileURLToPath(new URL('traced-turn.fixture.ts', import.meta.url))
  const flags = ['--conditions=throughline-source', '--disable-warning=ExperimentalWarning']
  const printed = execFileSync(process.execPath, [...flags, program], {
    encoding: 'utf8',
    timeout: 60_000,
  })
  // The program prints one line.
  const spans = JSON.parse(printed) as readonly Told[]
  const tree = spans.map(({ name, parent }) => [name, parent])
  expect(tree).toContainEqual(['invoke_agent desk', null])
  expect(tree).toContainEqual(['execute_tool call_archive', 'invoke_agent desk'])
  expect(tree).toContainEqual(['invoke_agent archive', 'execute_tool call_archive'])
  expect(new Set(spans.map(({ trace }) => trace)).size).toBe(1)
  expect(spans.every(({ isValid, isInOrder }) => isValid && isInOrder)).toBe(true)
})
