import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { NewEvent } from '../log/index.ts'
import { COALESCE_MAX_CHARS, DeltaFlow } from './delta-flow.ts'

const calls = { recordId: (call: string) => `record of ${call}` }
const origin = { source: 'model', depth: 0 } as const

function flow(fails = false) {
  const events: NewEvent[] = []
  const append = async (more: readonly NewEvent[]) => {
    await Promise.resolve()
    if (fails) throw new Error('disk')
    events.push(...more)
  }
  const opening = { type: 'STEP_STARTED', data: { stepName: 's' }, origin }
  const flow = new DeltaFlow({ append, id: () => 'm', calls, origin, opening })
  const end = async () => {
    events.push(...(await flow.end()))
    return flow.said
  }
  return { events, flow, end }
}

const deltas = (events: readonly NewEvent[]) =>
  events.flatMap(({ data }) =>
    data && typeof data === 'object' && 'delta' in data ? [data.delta] : [],
  )

test('[A061] [B065] text that turns out to be blank leaves no record', async () => {
  const { events, flow: blank, end } = flow()
  for (const text of ['', ' ', '\n\n']) blank.text(text)
  expect(await end()).toBe('')
  expect(events.map(({ type }) => type)).toEqual(['STEP_STARTED'])
})

test('[A034] [E016] [E037] however text is cut, the record holds it trimmed, opened and closed once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: fc.constantFrom('a', ' ', '\n') })),
      async (cuts) => {
        const { events, flow: written, end } = flow()
        for (const cut of cuts) written.text(cut)
        const text = cuts.join('').trim()
        expect(await end()).toBe(text)
        expect(deltas(events).join('')).toBe(text)
        const types = events
          .map(({ type }) => type)
          .filter((type) => type.startsWith('TEXT') && !type.endsWith('CONTENT'))
        expect(types).toEqual(text ? ['TEXT_MESSAGE_START', 'TEXT_MESSAGE_END'] : [])
        expect(deltas(events)).not.toContain('')
      },
    ),
  )
})

test('text is coalesced, and appended once enough of it waits', async () => {
  const { events, flow: written, end } = flow()
  for (let n = 0; n < COALESCE_MAX_CHARS * 2; n++) written.text('x')
  await Promise.resolve()
  await end()
  expect(deltas(events).map((delta) => String(delta).length)).toEqual([1_024, 1_024])
})

test('text is appended after a moment even if little of it waits', async () => {
  const { events, flow: written, end } = flow()
  written.text('so')
  await expect.poll(() => deltas(events)).toEqual(['so'])
  await end()
})

test('an append that fails fails the message', async () => {
  const { flow: written, end } = flow(true)
  written.text('x'.repeat(COALESCE_MAX_CHARS))
  await expect(end()).rejects.toThrow('disk')
  expect(() => written.text('more')).toThrow('disk')
})
