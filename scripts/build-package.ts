import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { rolldown } from 'rolldown'
import { packGuide } from './pack-guide.ts'

const COMPILED = 'dist/src'
const TYPES = 'dist/types'
const LIB = 'dist/lib'
/** Loaded or started by their places rather than through an import. */
const THREAD = 'src/storage/commit/commit-thread.ts'
const REPLAY = 'src/replay/replay-worker.ts'
const SCRIPTED_CLI = 'src/programs/scripted-cli/main.ts'
const CLI = 'src/cli/main.ts'
/** Read from beside the code that fills it. */
const BUNDLE = 'src/server/routes/bundle.html'
/** A program of its own starts at once if it loads no room. */
const SCRIPTED_CLI_FOLDER = dirname(SCRIPTED_CLI)
const HOOKS = 'react-hooks'
/** What opens a store stands in no room: the doors and the command share it. */
const FRONT = 'open'
const IN_FRONT = /^src\/[\w-]+\.ts$/
const HOOK = /^src\/react\/use-[\w-]+\.ts$/

/** The conditions of one entry of `exports` or `imports`, as far as the build reads them. */
interface Conditions {
  readonly 'throughline-source': string | { readonly browser: string; readonly default: string }
  readonly types: string
  readonly browser?: string
  readonly default: string
}

interface Manifest {
  readonly files: readonly string[]
  readonly exports: Readonly<Record<string, Conditions>>
  readonly imports: Readonly<Record<string, Conditions>>
}

interface Projects {
  readonly references: readonly { readonly path: string }[]
}

/** The source of each module that package.json names, by the name of its built file. */
function entries(named: readonly Conditions[]): Readonly<Record<string, string>> {
  const found: Record<string, string> = {
    'commit-thread': THREAD,
    'replay-worker': REPLAY,
    'scripted-cli': SCRIPTED_CLI,
    cli: CLI,
  }
  for (const conditions of named) {
    const { 'throughline-source': source, browser = '' } = conditions
    const sources = typeof source === 'string' ? { default: source, browser: source } : source
    found[nameOf(conditions.default)] ??= sources.default
    if (browser !== '') found[nameOf(browser)] = sources.browser
  }
  return found
}

function nameOf(built: string): string {
  return built.replace(/^\.\/dist\/lib\/|\.js$/g, '')
}

/** One file for each room, the lowest first: a file includes its imports that no other file has. */
function roomFiles(apart: readonly string[]) {
  const { references } = JSON.parse(readFileSync('tsconfig.json', 'utf8')) as Projects
  const paths = new Set(apart.map((file) => relative('.', file)))
  const rooms = references.flatMap(({ path }) => {
    if (path === './src') return FRONT
    return /^\.\/src\/([\w-]+)$/.exec(path)?.[1] ?? []
  })
  const hooks = { name: HOOKS, test: (id: string) => HOOK.test(relative('.', id)), priority: 0 }
  const files = rooms.map((room, at) => ({
    name: room,
    priority: rooms.length - at,
    test: (id: string) => {
      const module = relative('.', id)
      const isIn = room === FRONT ? IN_FRONT.test(module) : module.startsWith(`src/${room}/`)
      const isOfRoom = isIn && !module.startsWith(SCRIPTED_CLI_FOLDER)
      return isOfRoom && !HOOK.test(module) && !paths.has(module)
    },
  }))
  return [...files, hooks]
}

/** Copies the declarations that a door leads to; tsc keeps its own for its next run. */
function copyDeclarations(doors: readonly string[]): void {
  const files = new Set(doors.map((door) => relative(TYPES, door)))
  // A set that grows while it is read yields its new members too.
  for (const file of files) {
    const text = readFileSync(join(COMPILED, file), 'utf8')
    for (const [, target = ''] of text.matchAll(/["'](\.[^"']+)\.tsx?["']/g)) {
      files.add(join(dirname(file), `${target}.d.ts`))
    }
    mkdirSync(dirname(join(TYPES, file)), { recursive: true })
    copyFileSync(join(COMPILED, file), join(TYPES, file))
  }
}

/** Declarations by tsc, one for each module; code by rolldown, one file for each room; the guide. */
async function build(): Promise<void> {
  for (const folder of [TYPES, LIB, 'dist/starter'])
    rmSync(folder, { recursive: true, force: true })
  const tsc = join('node_modules', 'typescript', 'bin', 'tsc')
  execFileSync(process.execPath, [tsc, '-b', 'src'], { stdio: 'inherit' })
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest
  const named = [...Object.values(manifest.exports), ...Object.values(manifest.imports)]
  copyDeclarations(named.map(({ types }) => types))
  packGuide(manifest.files)
  cpSync('examples/starter', 'dist/starter', { recursive: true })
  execFileSync('vite', ['build', '--config', 'vite.studio.config.ts', '--logLevel', 'warn'], {
    stdio: 'inherit',
    // Another one, such as a test runner's, would bundle what developers get.
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const input = entries(named)
  const bundle = await rolldown({
    input,
    platform: 'node',
    external: /^[^./]/,
    // The banner below brings the directive back.
    onLog: (level, log, handle) => {
      if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log)
    },
  })
  await bundle.write({
    dir: LIB,
    comments: { legal: false, jsdoc: false, annotation: true },
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
    entryFileNames: '[name].js',
    // Beside the doors: the thread that commits is found beside the file that starts it.
    chunkFileNames: 'room-[name].js',
    codeSplitting: { groups: roomFiles(Object.values(input)) },
    banner: ({ name }) => (name === HOOKS ? "'use client';" : ''),
  })
  copyFileSync(BUNDLE, join(LIB, basename(BUNDLE)))
}

await build()
