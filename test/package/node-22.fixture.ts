import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The oldest Node that package.json's `engines` names. */
const VERSION = '22.18.0'
const INSTALL_MAX_MS = 120_000

/** The path of that Node, installed from npm once for a checkout; undefined when that is impossible. */
export function installNode22(): string | undefined {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const folder = resolve('node_modules/.cache', `node-${VERSION}`)
  const binary = join(folder, 'node_modules', name, 'bin/node')
  if (existsSync(binary)) return binary
  const install = ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', folder]
  try {
    const options = { timeout: INSTALL_MAX_MS, stdio: 'ignore' } as const
    execFileSync('npm', [...install, `${name}@${VERSION}`], options)
  } catch (error) {
    // The test that needs it is then skipped, by its name.
    if (error instanceof Error) return undefined
    throw error
  }
  return existsSync(binary) ? binary : undefined
}
