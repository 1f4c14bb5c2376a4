import { expect, test } from 'vitest'
import { readEntry, writesToOpen } from './history-entries.ts'

const told = (...args: Parameters<typeof writesToOpen>) =>
  writesToOpen(...args).map(({ way, entry }) => `${way} ${entry.place} ${entry.shows}`)

test('[surfaces 49] a link opened in the middle of the journey gets one entry for each answer', () => {
  expect(told(undefined, 'quote', ['service_status', 'eligibility'])).toEqual([
    'replace service_status answered',
    'push eligibility answered',
    'push quote open',
  ])
})

test('[surfaces 49] an answer turns its entry into an answered one and adds the next question', () => {
  const shown = { place: 'eligibility', shows: 'open' } as const
  expect(told(shown, 'quote', ['service_status', 'eligibility'])).toEqual([
    'replace eligibility answered',
    'push quote open',
  ])
})

test('[surfaces 49] answers given in another tab get their entries too', () => {
  const shown = { place: 'service_status', shows: 'open' } as const
  expect(told(shown, 'email', ['service_status', 'eligibility', 'quote'])).toEqual([
    'replace service_status answered',
    'push eligibility answered',
    'push quote answered',
    'push email open',
  ])
})

test('[surfaces 49] from an answered step the way to the open one goes through those between', () => {
  const shown = { place: 'service_status', shows: 'answered' } as const
  expect(told(shown, 'quote', ['service_status', 'eligibility'])).toEqual([
    'replace service_status answered',
    'push eligibility answered',
    'push quote open',
  ])
})

test('[surfaces 49] a place without an answer leaves no entry behind', () => {
  const decision = { place: 'decision', shows: 'open' } as const
  expect(told(decision, 'end', ['service_status'])).toEqual(['replace end open'])
})

test('the open place needs no further entry', () => {
  const shown = { place: 'quote', shows: 'open' } as const
  expect(told(shown, 'quote', ['service_status', 'eligibility'])).toEqual([])
})

test('an entry that this page did not write holds nothing', () => {
  for (const state of [null, undefined, 'text', {}, { other: 1 }]) {
    expect(readEntry(state)).toBeUndefined()
  }
})
