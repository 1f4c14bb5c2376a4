import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AcpDialect } from './acp/dialect.ts'
import { ClaudeDialect } from './claude/dialect.ts'
import { wellFormedJson } from './well-formed.ts'

const HALF = 'half \uD83D here, whole \u{1F600}, escaped \\ud83d'
const MENDED = 'half \uFFFD here, whole \u{1F600}, escaped \\ud83d'

test('any text comes out as it is, but for halves of characters', () => {
  const text = fc.string({
    unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  })
  fc.assert(
    fc.property(text, text, (key, value) => {
      const name = key.toWellFormed()
      expect(JSON.parse(wellFormedJson({ [key]: value }))).toEqual({ [name]: value.toWellFormed() })
    }),
  )
})

test('what is written to a program is well-formed', () => {
  const claude = new ClaudeDialect()
  const conversation = { session: undefined, underWay: undefined }
  const acp = new AcpDialect({ cwd: '/', conversation, memory: 'new', instructions: HALF })
  claude.take({ text: requestLine() })
  const answer = { behavior: 'allow', input: { command: HALF } } as const
  const lines = [claude, acp].flatMap((dialect) => dialect.prompt({ id: 'p', text: HALF }))
  for (const line of [...lines, ...claude.answer('r', answer)]) {
    const written = JSON.stringify(JSON.parse(line))
    expect(written).toContain(JSON.stringify(MENDED).slice(1, -1))
    expect(written).not.toContain(JSON.stringify(HALF).slice(1, -1))
  }
})

function requestLine(): string {
  const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: {} }
  return JSON.stringify({ type: 'control_request', request_id: 'r', request })
}
