import { lamp } from './lamp.fixture.ts'
import { given } from './index.ts'

const ui = { source: 'ui', surface: 'wall' } as const

given(lamp, [{ type: 'switch_on', data: { watts: 5, from: 0 } }])
  .when({ type: 'switch_on', data: { watts: 80 }, origin: ui })
  .then([{ type: 'report', data: {} }])

// @ts-expect-error an event that the domain lacks has not happened
given(lamp, [{ type: 'switched_on', data: {} }])
// @ts-expect-error nor is it proposed
given(lamp).when({ type: 'switched_on', data: { watts: 5 }, origin: ui })
// @ts-expect-error a proposal's data has the types of its event's schema
given(lamp).when({ type: 'switch_on', data: { watts: 'many' }, origin: ui })
given(lamp).when({ type: 'switch_on', data: { watts: 5 } })
// @ts-expect-error so do the events that come of it, as they are stored
given(lamp).then([{ type: 'report', data: 7 }])
// @ts-expect-error a refusal has one of the known reasons
given(lamp).thenRefused('no')
