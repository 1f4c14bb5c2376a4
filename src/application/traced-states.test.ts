import { expect, test } from 'vitest'
import { initialOthers } from '../domain/index.ts'
import { logWith } from '../log/log-with.fixture.ts'
import { newLog, tickets } from './tickets.fixture.ts'
import { TracedStates } from './traced-states.ts'

const opened = { type: 'opened', data: {} }

test('the other states go on from those that were folded last, and a fold that is too long is refused', async () => {
  const log = newLog()
  await log.append(
    't',
    Array.from({ length: 10 }, () => opened),
  )
  const reads: number[] = []
  const counted = logWith(log, {
    read: (thread, from) => {
      reads.push(from?.limit ?? -1)
      return log.read(thread, from)
    },
  })
  const states = new TracedStates(counted, tickets)
  expect(await states.at('t', -1, 4)).toEqual(initialOthers(tickets))
  const later = await states.at('t', 3, 4)
  expect(later).toEqual([{ status: 'open' }, { status: 'open' }])
  await states.at('t', 7, 4)
  await states.at('t', 2, 4)
  await states.at('t', 7, 4)
  expect(reads).toEqual([4, 4, 3])
  const fresh = new TracedStates(log, tickets)
  await expect(fresh.at('t', 9, 4)).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringContaining('declare `personal` of the domain'),
  })
})
