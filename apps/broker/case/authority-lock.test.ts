import { authorityOf } from 'throughline/testing'
import { expect, test } from 'vitest'
import { domain } from './given-case.fixture.ts'

test('who may propose what in a case is locked', async () => {
  await expect(authorityOf(domain)).toMatchFileSnapshot('authority.lock')
})
