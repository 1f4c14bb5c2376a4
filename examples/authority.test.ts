import { authorityOf, given } from 'throughline/testing'
import { expect, test } from 'vitest'
import { app as claims } from './claims/claims.ts'
import { incidents } from './incidents/incidents.ts'

test('who may propose what in the incident desk is locked', async () => {
  await expect(authorityOf(incidents)).toMatchFileSnapshot('incidents/authority.lock')
})

test('who may propose what in the claims desk is locked', async () => {
  await expect(authorityOf(claims.domain)).toMatchFileSnapshot('claims/authority.lock')
})

test('a model neither plans nor restarts in an incident that is resolved', () => {
  const resolved = given(incidents, [
    { type: 'reported', data: { what: 'The shop is down' } },
    { type: 'acknowledged', data: {} },
    { type: 'resolved', data: {} },
  ])
  const plan = { type: 'plan_proposed', data: { plan: 'Restart the cache' } } as const
  resolved.when(plan).thenRefused('precondition')
  resolved.when({ type: 'restarted', data: {} }).thenRefused('precondition')
})
