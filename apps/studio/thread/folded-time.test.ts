import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FoldedTime } from './folded-time.ts'

test('a long wait for a person takes little room, and what comes behind it most', () => {
  const time = new FoldedTime({ from: 0, to: 62_000 }, [{ from: 1_000, to: 61_000 }])
  const places = [0, 1_000, 61_000, 62_000].map((moment) => time.at(moment))
  expect(places[0]).toBe(0)
  expect((places[2] ?? 0) - (places[1] ?? 0)).toBeCloseTo(0.05)
  expect(places[3]).toBeCloseTo(1)
})

test('a short wait is drawn as it is', () => {
  const time = new FoldedTime({ from: 0, to: 10_000 }, [{ from: 1_000, to: 2_000 }])
  expect(time.waits).toEqual([])
  expect(time.at(5_000)).toBeCloseTo(0.5)
})

test('later moments never stand before earlier ones', () => {
  const waits = fc
    .array(fc.tuple(fc.nat(50_000), fc.nat(50_000)), { maxLength: 5 })
    .map((pairs) => {
      let at = 0
      return pairs.map(([gap, length]) => {
        const from = at + gap
        at = from + length
        return { from, to: at }
      })
    })
  fc.assert(
    fc.property(waits, fc.array(fc.nat(600_000)), (given, moments) => {
      const time = new FoldedTime({ from: 0, to: 600_000 }, given)
      const places = moments.toSorted((a, b) => a - b).map((moment) => time.at(moment))
      expect(places).toEqual(places.toSorted((a, b) => a - b))
    }),
  )
})
