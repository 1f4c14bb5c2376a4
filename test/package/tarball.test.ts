import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { expect, inject, test } from 'vitest'
import { fullTest } from '../tier.fixture.ts'

/**
 * Packed by themselves, the code has 427 kB (its statements shortened, its names kept), the declarations 176 kB,
 * the pages of the studio 110 kB, the guide 141 kB. Stack traces that can be read are worth the names.
 */
const PACKED_BYTES_MAX = 900_000

const { tarball, size, files, consumer } = inject('packed')
const installed = join(consumer, 'node_modules/throughline')
const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, { readonly types: string }>>
}

test('the tarball holds built code, declarations, the guide and the pages that its README links', () => {
  const wanted =
    /^(?:package\.json|README\.md|LICENSE|llms\.txt|(?:docs|dist\/guide)\/[\w-]+\.md|dist\/lib\/(?:[\w.-]+\.js|(?:bundle|checkpoint)\.html)|dist\/starter\/[\w.]+|dist\/studio\/[\w./-]+|dist\/types\/.+\.d\.ts)$/
  const unwanted = /\.(?:test|fixture|test-d)\b|tsbuildinfo/
  expect(files.filter((file) => !wanted.test(file) || unwanted.test(file))).toEqual([])
})

test('llms.txt lists every page that is packed, by its title', () => {
  const list = readFileSync(join(installed, 'llms.txt'), 'utf8')
  const listed = Array.from(list.matchAll(/^- \[(.+)\]\(([^)]+)\)/gm), ([, title, page = '']) => {
    expect(readFileSync(join(installed, page), 'utf8')).toContain(`# ${title}\n`)
    return page
  })
  const pages = files.filter((file) => file.endsWith('.md') && file !== 'README.md')
  expect(listed.toSorted()).toEqual(pages.toSorted())
})

test('without the package of MCP its option and its command say what to install', () => {
  const program = `
    import { open } from 'throughline'
    import { routes } from 'throughline/server'
    const tl = await open({ store: 'memory:' })
    try { routes(tl, { mcp: true }) } catch ({ code, message }) { console.log(code, message) }
    await tl.close()`
  const flags = ['--input-type=module', '--eval', program]
  const printed = execFileSync(process.execPath, flags, { cwd: consumer, encoding: 'utf8' })
  expect(printed).toContain('mcp_not_installed')
  expect(printed).toContain('npm install @modelcontextprotocol/server')
})

test('without the package of OpenTelemetry `telemetry` says what to install', () => {
  const program = `
    import { open, telemetry } from 'throughline'
    const tl = await open({ store: 'memory:' })
    await telemetry(tl).catch(({ code, message }) => console.log(code, message))
    await tl.close()`
  const flags = ['--input-type=module', '--eval', program]
  const printed = execFileSync(process.execPath, flags, { cwd: consumer, encoding: 'utf8' })
  expect(printed).toContain('otel_not_installed')
  expect(printed).toContain('npm install @opentelemetry/api')
})

test('the tarball has at most 900 kB', () => {
  expect(size).toBeLessThanOrEqual(PACKED_BYTES_MAX)
})

test('every link of the packed pages leads to an address, into its page or into the tarball', () => {
  const pages = files.filter((file) => file.endsWith('.md'))
  const broken = pages.flatMap((page) =>
    Array.from(
      readFileSync(join(installed, page), 'utf8').matchAll(/\]\(([^)#\s]+)/g),
      ([, target = '']) => target,
    )
      .filter((target) => !/^https?:/.test(target))
      .filter((target) => !existsSync(join(installed, dirname(page), target)))
      .map((target) => `${page}: ${target}`),
  )
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'dist/guide/README.md']))
  expect(broken).toEqual([])
})

test('every door but those of React and the stock AG-UI client can be imported without a peer, and has its declarations', () => {
  const doors = Object.entries(manifest.exports)
  const missing = doors.filter(([, { types }]) => !existsSync(join(installed, types)))
  const names = doors.map(([door]) => `throughline${door.slice(1)}`)
  const program = names
    .filter((name) => !['throughline/react', 'throughline/agui/stock'].includes(name))
    .map((name) => `await import('${name}')`)
    .join('\n')
  const flags = ['--input-type=module', '--eval', program]
  const printed = execFileSync(process.execPath, flags, { cwd: consumer, encoding: 'utf8' })

  expect(missing).toEqual([])
  expect(printed).toBe('')
})

test("the built module of hooks begins with 'use client', and no other does", () => {
  const lib = join(installed, 'dist/lib')
  const client = readdirSync(lib).filter((file) =>
    /^["']use client["'];?\n/.test(readFileSync(join(lib, file), 'utf8')),
  )
  expect(client).toEqual(['room-react-hooks.js'])
})

test('publint finds no fault, except that the tarball lacks the sources of a checkout', async () => {
  const { messages, pkg } = await publint({ pkgDir: installed, level: 'warning', pack: false })
  const faults = messages.filter(({ path }) => !path.includes('throughline-source'))
  expect(faults.map((message) => formatMessage(message, pkg))).toEqual([])
})

fullTest('every way of an ES module to resolve types finds them', async () => {
  const data = createPackageFromTarballData(new Uint8Array(readFileSync(tarball)))
  const result = await checkPackage(data)
  const problems = result.types ? result.problems : undefined
  // Node requires ES modules since 22.12, and resolution as before Node 12 knows no exports.
  const faults = problems?.filter(
    (problem) =>
      problem.kind !== 'CJSResolvesToESM' &&
      !('resolutionKind' in problem && problem.resolutionKind === 'node10'),
  )
  expect(faults).toEqual([])
})

test('every declaration imports files that are in the tarball', () => {
  const missing = files
    .filter((file) => file.endsWith('.d.ts'))
    .flatMap((file) => {
      const imports = readFileSync(join(installed, file), 'utf8').matchAll(/from '(\.[^']+)'/g)
      return Array.from(imports, ([, target = '']) => join(dirname(file), target))
    })
    .filter((target) => !existsSync(join(installed, target.replace(/\.tsx?$/, '.d.ts'))))
  expect(missing).toEqual([])
})
