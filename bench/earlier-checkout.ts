import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** The checkout as it was at a commit, with today's packages, in a folder that goes with this process. */
export function earlierCheckout(commit: string): {
  readonly folder: string
  readonly name: string
} {
  const git = ['rev-parse', '--short', '--verify', `${commit}^{commit}`]
  const name = execFileSync('git', git, { encoding: 'utf8' }).trim()
  const folder = mkdtempSync(join(tmpdir(), 'throughline-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const archive = execFileSync('git', ['archive', name], { maxBuffer: 2 ** 30 })
  const { status } = spawnSync('tar', ['-x', '-C', folder], { input: archive })
  if (status !== 0) throw new Error(`Cannot lay out ${name}: tar ended with ${status}`)
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  return { folder, name }
}
