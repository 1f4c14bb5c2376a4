import { mkdtempSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { build } from 'vite'
import type { Plugin } from 'vite'

export interface BrowserBundle {
  readonly code: string
  /** Modules of Node that the program reaches. */
  readonly builtins: readonly string[]
}

/** Bundles a program of the package into one file, as a page would load it. */
export async function bundleForBrowser(consumer: string, program: string): Promise<BrowserBundle> {
  const builtins: string[] = []
  const watch: Plugin = {
    name: 'watch-builtins',
    enforce: 'pre',
    resolveId(id) {
      if (isBuiltin(id)) builtins.push(id)
    },
  }
  const output = await build({
    root: consumer,
    configFile: false,
    logLevel: 'error',
    plugins: [watch],
    build: {
      write: false,
      target: 'es2024',
      modulePreload: false,
      rolldownOptions: {
        input: programFile(consumer, program),
        output: { format: 'iife', codeSplitting: false },
      },
    },
  })
  if (!('output' in output)) throw new Error('Cannot bundle the program: no output')
  const code = output.output.map((file) => (file.type === 'chunk' ? file.code : '')).join('')
  return { code, builtins }
}

/** Bundles a program for Node, the package included, into a folder. Returns the file to start. */
export async function bundleForServer(consumer: string, program: string): Promise<string> {
  const outDir = mkdtempSync(join(consumer, 'server-'))
  await build({
    root: consumer,
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: programFile(consumer, program),
      outDir,
      rolldownOptions: { output: { entryFileNames: 'main.mjs' } },
    },
  })
  return join(outDir, 'main.mjs')
}

function programFile(consumer: string, program: string): string {
  const file = join(mkdtempSync(join(consumer, 'program-')), 'main.js')
  writeFileSync(file, program)
  return file
}
