import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { nodeTooOld } from './node-version.ts'

test.each(['20.20.2', '22.17.1', '18.0.0', '22.9.0'])(
  'Node %s is too old, in one line',
  (found) => {
    expect(nodeTooOld(found)).toBe(
      `Cannot run on Node ${found}: it needs Node 22.18 or later; install a newer one`,
    )
  },
)

test.each(['22.18.0', '22.20.1', '23.0.0', '24.11.1', '26.0.0-nightly'])(
  'Node %s will do',
  (found) => {
    expect(nodeTooOld(found)).toBeUndefined()
  },
)

test('this Node will do, and package.json asks for the same version', () => {
  expect(nodeTooOld()).toBeUndefined()
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: object }
  expect(engines).toEqual({ node: '>=22.18' })
})
