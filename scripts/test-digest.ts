import { createHash } from 'node:crypto'
import { parseSync } from 'vite'

const TITLED = new Set(['test', 'fullTest', 'it', 'describe'])
const PLACES = new Set(['start', 'end', 'raw'])

interface SyntaxNode {
  readonly type: string
}

interface Call extends SyntaxNode {
  readonly callee: SyntaxNode
  readonly arguments: readonly SyntaxNode[]
}

/** Returns a digest of what a test file does: its imports, comments, layout and titles do not count. */
export function digestOfTest(file: string, source: string): string {
  const { program, errors } = parseSync(file, source)
  if (errors[0]) throw new Error(`Cannot parse "${file}": ${errors[0].message}`)
  const body = program.body.filter(({ type }) => type !== 'ImportDeclaration')
  return createHash('sha256').update(JSON.stringify(body, withoutTitles)).digest('hex')
}

function withoutTitles(key: string, value: unknown): unknown {
  // JSON has no bigint; the node holds its digits beside it.
  if (PLACES.has(key) || typeof value === 'bigint') return undefined
  return isTitledCall(value) ? { ...value, arguments: value.arguments.slice(1) } : value
}

function isTitledCall(value: unknown): value is Call {
  if (!isNode(value) || value.type !== 'CallExpression') return false
  const { callee, arguments: given } = value as Call
  const isTitle = given[0]?.type === 'Literal' || given[0]?.type === 'TemplateLiteral'
  return isTitle && TITLED.has(rootName(callee))
}

/** Returns the name that a chain such as `test.each(table)` begins with. */
function rootName(node: SyntaxNode): string {
  const { name, object, callee } = node as Partial<Record<'object' | 'callee', SyntaxNode>> & {
    readonly name?: string
  }
  const inner = object ?? callee
  return inner ? rootName(inner) : (name ?? '')
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value
}
