import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import type { TestProject } from 'vitest/node'
import { PROGRAMS } from './program.fixture.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the programs that tests start, each built as one file and the files that it shares. */
    readonly programs: string
  }
}

const FOLDER = resolve('test/.output/programs')
/** The library starts it, as it does the scripted CLI, from the folder that it lies in itself. */
const COMMIT_THREAD = 'src/storage/commit/commit-thread.ts'

/** Lets applications and tests find their files beside their sources. */
const sourcePlaces = {
  name: 'source-places',
  transform(code: string, id: string) {
    if (id.startsWith(resolve('src'))) return undefined
    return code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
  },
}

export async function setup(project: TestProject): Promise<void> {
  const bundle = await rolldown({
    input: { ...PROGRAMS, 'commit-thread': COMMIT_THREAD },
    platform: 'node',
    external: /^(?!throughline|[./#])/,
    resolve: { conditionNames: ['throughline-source', 'node', 'import'] },
    plugins: [sourcePlaces],
  })
  const { output } = await bundle.generate({ format: 'esm', chunkFileNames: '[name].js' })
  await bundle.close()
  mkdirSync(FOLDER, { recursive: true })
  for (const file of output) {
    if (file.type === 'chunk') writeIfNew(join(FOLDER, file.fileName), file.code)
  }
  project.provide('programs', FOLDER)
}

/** Files that are the same keep their compiled code. */
function writeIfNew(file: string, text: string): void {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
}
