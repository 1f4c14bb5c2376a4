import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'

const GUIDE = 'docs/guide'
const PACKED = 'dist/guide'
/** What the guide refers to most, for programs and auditors that have the package alone. */
const REFERENCES = ['docs/contract.md', 'docs/log-format.md']
/** Left out of the package: for those who have not chosen yet, and for those who read the sources of a checkout. */
const LEFT_OUT: ReadonlySet<string> = new Set(['why.md', 'broker.md', 'backend.md'])

/** The list of the packed pages for programs that read documentation. */
const LIST = 'llms.txt'

/** A link to a file: its words, the file, and the place in it. */
const LINK = /\[([^\]]+)\]\(([^)#\s]+)((?:#[^)]*)?)\)/g

/**
 * Copies the guide into the package. A link to a file that the package lacks becomes words that name the
 * file of the checkout.
 */
export function packGuide(packed: readonly string[]): void {
  rmSync(PACKED, { recursive: true, force: true })
  mkdirSync(PACKED, { recursive: true })
  const pages = readdirSync(GUIDE).filter((page) => !LEFT_OUT.has(page))
  const sources = [...pages.map((page) => posix.join(GUIDE, page)), ...REFERENCES]
  for (const source of sources) {
    const text = readFileSync(source, 'utf8')
    const links = text.replaceAll(LINK, (link, ...[words, target, anchor]: readonly string[]) => {
      if (words === undefined || target === undefined) return link
      if (/^https?:/.test(target)) return link
      const file = posix.join(posix.dirname(source), target)
      if (sources.includes(file)) return `[${words}](${posix.basename(file)}${anchor})`
      if (packed.includes(file)) return `[${words}](${posix.relative(PACKED, file)}${anchor})`
      const named = `\`${file}\` in the checkout`
      return words === posix.basename(target) ? named : `${words} (${named})`
    })
    writeFileSync(join(PACKED, posix.basename(source)), links)
  }
  writeFileSync(LIST, listOf([...sources, ...packed.filter((file) => file.endsWith('.md'))]))
}

/** Each page with its title and how it begins, as llmstxt.org has it. */
function listOf(sources: readonly string[]): string {
  const { description, version } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly description: string
    readonly version: string
  }
  const pages = sources.map((source) => {
    const text = readFileSync(source, 'utf8')
    const [, title = source] = /^# (.+)$/m.exec(text) ?? []
    const place = source.startsWith(GUIDE) || REFERENCES.includes(source)
    const path = place ? posix.join(PACKED, posix.basename(source)) : source
    return `- [${title}](${path})${beginningOf(text)}`
  })
  const types =
    'Types with comments are in `dist/types/public`; a server describes its routes at `/openapi.json`.'
  return `# throughline ${version}\n\n> ${description}\n\n${types}\n\n## Pages\n\n${pages.join('\n')}\n`
}

/** The first sentence below the title, without the links in it. */
function beginningOf(text: string): string {
  const [, paragraph = ''] = /^# .+\n\n(?=[A-Z[`])(.+)$/m.exec(text) ?? []
  const [sentence = ''] = /^.+?[.?](?= |$)/.exec(paragraph.replaceAll(LINK, '$1')) ?? []
  return sentence === '' ? '' : `: ${sentence}`
}
