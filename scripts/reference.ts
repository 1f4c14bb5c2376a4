import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The committed page of all that the package exports. */
export const REFERENCE = 'docs/reference.md'

export interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, { readonly 'throughline-source'?: string }>>
}

interface Declared {
  readonly kind: string
  /** The first sentence of its comment. */
  readonly says: string
}

const OPENING = `# Reference

Every name that the package exports, with the first sentence of its comment; the comment itself shows in an editor. \`npm run api\` writes this page. [contract.md](contract.md) says what you can rely on, the [guide](guide/README.md) how things are used.`

/** The page of reference: a table for each subpath of the package. */
export function referencePage(manifest: Manifest): string {
  const sections = Object.entries(manifest.exports).flatMap(
    ([subpath, { 'throughline-source': file }]) =>
      file === undefined ? [] : [section(`${manifest.name}${subpath.slice(1)}`, file)],
  )
  return `${[OPENING, ...sections].join('\n\n')}\n`
}

function section(subpath: string, file: string): string {
  const names = namesIn(file)
  const rows = names.map((name) => rowOf(name, file))
  const heading = `## \`${subpath}\`\n\n${names.length} names.\n`
  return [heading, '| name | | |', '|---|---|---|', ...rows].join('\n')
}

/** A door lists what it exports, and declares nothing itself. */
function namesIn(door: string): readonly string[] {
  const lists = readFileSync(door, 'utf8').matchAll(/^export (?:type )?\{([^}]*)\}/gm)
  const names = [...lists].flatMap(([, list = '']) => list.split(',').map((name) => name.trim()))
  return names.flatMap((name) => name.split(' as ').at(-1) || []).toSorted(byCodeUnits)
}

const byCodeUnits = (one: string, other: string): number => (one < other ? -1 : 1)

function rowOf(name: string, file: string): string {
  const { kind, says } = declared(name, file)
  return `| \`${name}\` | ${kind} | ${says.replaceAll('|', String.raw`\|`)} |`
}

/** Follows a name through the doors that pass it on to the file that declares it. */
function declared(name: string, file: string): Declared {
  const source = readFileSync(file, 'utf8')
  const passed = [...source.matchAll(/^export (?:type )?\{([^}]*)\} from '([.#][^']+)'/gm)]
  for (const [, list = '', from = ''] of passed) {
    const own = originalName(name, list)
    if (own !== undefined) return declared(own, join(dirname(file), pathOf(from)))
  }
  return declaredIn(name, source)
}

/** The name of an import whose file depends on where the package runs stands for the one on Node. */
function pathOf(from: string): string {
  return from.startsWith('#') ? `${from.slice(1)}.ts` : from
}

function originalName(name: string, list: string): string | undefined {
  const listed = list.split(',').map((each) => each.trim().split(' as '))
  return listed.find((names) => names.at(-1) === name)?.[0]
}

function declaredIn(name: string, source: string): Declared {
  const words = String.raw`(?:async )?(abstract class|class|function\*?|const|interface|type)`
  const found = new RegExp(String.raw`^export ${words} ${name}\b`, 'm').exec(source)
  const [, kind = ''] = found ?? []
  const [comment = ''] = /\/\*\*(?:(?!\*\/).)*\*\/\n$/s.exec(source.slice(0, found?.index)) ?? []
  return { kind: kind === 'const' ? 'value' : kind.replace('*', ''), says: firstSentence(comment) }
}

function firstSentence(comment: string): string {
  const text = comment
    .replaceAll(/^\s*(?:\/\*\*|\*\/|\*)|\*\/\n$/gm, '')
    .replaceAll(/\{@link ([^}]+)\}/g, '`$1`')
    .split('\n\n')[0]
  const [sentence = ''] = /^.*?[.:](?= [A-Z`]|$)/s.exec(words(text)) ?? [words(text)]
  return sentence.replace(/:$/, '.')
}

function words(text = ''): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replace(/ ?@.*$/s, '')
    .trim()
}
