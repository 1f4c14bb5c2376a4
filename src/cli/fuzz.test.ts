import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../test/folders.fixture.ts'
import { throughline } from './throughline.fixture.ts'

/** Modules of applications load the library's sources. */
const env = { NODE_OPTIONS: '--conditions=throughline-source' }
const CLAIMS = resolve('examples/claims/claims.ts')

const fuzz = (...args: readonly string[]) => throughline(['fuzz', ...args], env)

/** A module of the claims application with another event "paid". */
function claimsWith(changed: string): string {
  const module = join(newFolder(), 'app.ts')
  writeFileSync(
    module,
    `import { app as claims } from ${JSON.stringify(CLAIMS)}
     const events = claims.domain.events as any
     const { from, ...paid } = events.get('paid')
     events.set('paid', ${changed})
     export const changedClaims = claims`,
  )
  return module
}

test('a claim that is paid before it was assessed is found, as a test to paste', async () => {
  const found = await fuzz('--runs', '60', '--seed', '3', claimsWith('paid'))
  expect(found.stdout).toContain('! invariant: invariant "onlyAssessedIsPaid"')
  expect(found.stdout).toContain("import { given } from 'throughline/testing'")
  expect(found.stdout).toContain('import { changedClaims as app } from "/')
  expect(found.stdout).toContain('.when({ type: "paid", data: ')
  expect(found.stdout).toContain(".thenRefused('precondition')")
  expect(found.code).toBe(1)
})

test('fuzz ends with 0 where nothing is found, and with 2 where it cannot tell', async () => {
  const none = await fuzz('--runs', '20', '--seed', '5', '--json', CLAIMS)
  expect(none.code).toBe(0)
  expect(JSON.parse(none.stdout)).toMatchObject({ app: 'claims', seed: 5, runs: 20, findings: [] })
  for (const [args, said] of [
    [['none.ts'], 'Cannot fuzz'],
    [['--runs', '0', CLAIMS], '--runs is "0"'],
    [[CLAIMS, 'none.jsonl'], 'there is no such file'],
  ] as const) {
    const { code, stdout } = await fuzz(...args)
    expect([code, stdout]).toEqual([2, expect.stringContaining(said) as string])
  }
})
