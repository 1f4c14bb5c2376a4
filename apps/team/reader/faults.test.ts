import { expect, test } from 'vitest'
import { Faults } from './faults.ts'

test('lines that cannot be used are recorded one by one, and then by their tenfold counts', () => {
  const faults = new Faults()
  const recorded = Array.from({ length: 3_000 }, (_, index) =>
    faults.take({ type: 'fault', fault: 'no_json', detail: `not json ${index + 1}` }),
  ).flat()
  expect(recorded).toHaveLength(12)
  expect(recorded.slice(8)).toMatchObject([
    { data: { message: 'Cannot use a line of the program (no_json): not json 9' } },
    { data: { message: 'Cannot use a line of the program (no_json): not json 10' } },
    { data: { message: expect.stringContaining('Cannot use 100 lines of the program') } },
    { data: { message: expect.stringMatching(/1000 lines .* \(no_json\): not json 1000$/) } },
  ])
})
