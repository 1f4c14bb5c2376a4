import { cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { inject } from 'vitest'
import { newFolder } from '../folders.fixture.ts'

/** An empty folder in which the package and some modules of the checkout were installed, as a reader makes it. */
export function readerFolder(...names: readonly string[]): string {
  const folder = newFolder()
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const modules = join(folder, 'node_modules')
  const { consumer } = inject('packed')
  cpSync(join(consumer, 'node_modules'), modules, { recursive: true, verbatimSymlinks: true })
  for (const name of names) {
    const place = join(modules, name)
    mkdirSync(dirname(place), { recursive: true })
    symlinkSync(realpathSync(resolve('node_modules', name)), place)
  }
  return folder
}
