import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, isAbsolute, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import type { TestProject } from 'vitest/node'
import { PROGRAMS } from './program.fixture.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the programs that tests start, each built as one file. */
    readonly programs: string
  }
}

const FOLDER = resolve('test/.output/programs')
/** The library starts these files, and the scripted CLI, from its own folder. */
const THREADS = {
  'commit-thread': 'src/storage/commit/commit-thread.ts',
  'replay-worker': 'src/replay/replay-worker.ts',
}

/** Packages stay where they are, but those that load many files at each start. */
const OUTSIDE = /^(?!throughline|zod|hono|@hono|@ag-ui|@agentclientprotocol|[./#])/

/** The packages of a program change with an installation, which keeps the times of their files. */
const INSTALLED = resolve('node_modules/.package-lock.json')

/** Lets applications and tests find their files beside their sources. */
const sourcePlaces = {
  name: 'source-places',
  transform(code: string, id: string) {
    if (id.startsWith(resolve('src'))) return undefined
    return code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
  },
}

/** The server reads it from beside its code. */
const BUNDLE = 'src/server/routes/bundle.html'

export async function setup(project: TestProject): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  copyFileSync(BUNDLE, join(FOLDER, basename(BUNDLE)))
  const programs = Object.entries({ ...PROGRAMS, ...THREADS })
  await Promise.all(programs.map(([name, source]) => build(name, source)))
  project.provide('programs', FOLDER)
}

/** Builds each program by itself: where programs shared chunks, the server ran the code of another one. */
async function build(name: string, input: string): Promise<void> {
  const file = join(FOLDER, `${name}.js`)
  if (isUpToDate(file)) return
  const bundle = await rolldown({
    input,
    platform: 'node',
    external: OUTSIDE,
    resolve: { conditionNames: ['throughline-source', 'node', 'import'] },
    plugins: [sourcePlaces],
  })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  await bundle.close()
  const [{ code, moduleIds }] = output
  writeFileSync(
    sourcesOf(file),
    JSON.stringify([...moduleIds.filter(isAbsolute), INSTALLED, import.meta.filename]),
  )
  // Another run may be starting the file.
  writeFileSync(`${file}.new`, code)
  renameSync(`${file}.new`, file)
}

function isUpToDate(file: string): boolean {
  if (!existsSync(file) || !existsSync(sourcesOf(file))) return false
  const builtAt = statSync(file).mtimeMs
  const sources = JSON.parse(readFileSync(sourcesOf(file), 'utf8')) as readonly string[]
  return sources.every((source) => existsSync(source) && statSync(source).mtimeMs < builtAt)
}

function sourcesOf(file: string): string {
  return file.replace(/\.js$/, '.sources.json')
}
