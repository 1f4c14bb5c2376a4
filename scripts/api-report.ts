import { readFileSync } from 'node:fs'

/** The committed list of the names that the package exports. */
export const API_REPORT = 'docs/api.txt'

interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, { readonly 'throughline-source'?: string }>>
}

/** Lists the names that each subpath of the package exports, with `type` where a name is a type alone. */
export function apiReport(manifest: Manifest): string {
  const doors = Object.entries(manifest.exports).flatMap(
    ([subpath, { 'throughline-source': file }]) =>
      file === undefined ? [] : [doorReport(`${manifest.name}${subpath.slice(1)}`, file)],
  )
  return `${doors.join('\n\n')}\n`
}

function doorReport(door: string, file: string): string {
  const names = exportedBy(readFileSync(file, 'utf8'))
  return [`${door} (${names.length})`, ...names.map((name) => `  ${name}`)].join('\n')
}

/** A door lists what it exports, and declares nothing itself. */
function exportedBy(source: string): readonly string[] {
  const lists = source.matchAll(/^export (type )?\{([^}]*)\}/gm)
  return [...lists]
    .flatMap(([, type = '', list = '']) => {
      const names = list.split(',').map((name) => name.trim())
      return names.filter((name) => name !== '').map((name) => `${type}${publicName(name)}`)
    })
    .toSorted((one, other) => (bare(one) < bare(other) ? -1 : 1))
}

function publicName(listed: string): string {
  return listed.split(' as ').at(-1) ?? listed
}

function bare(name: string): string {
  return name.replace(/^type /, '')
}
