import { expect, test } from 'vitest'
import { close, open, start, ticketsApp } from './tickets.fixture.ts'
import type { Ticket } from './tickets.fixture.ts'

const app = ticketsApp({
  roles: {
    clerk: { read: 'all' },
    guest: { read: { state: ({ status }: Ticket) => ({ status }) } },
  },
})

test.each(['clerk', 'guest', 'operator'])(
  '[E042] a followed state is at each record what %s may read there',
  async (role) => {
    const tl = await start({ apps: [app] })
    await open(tl, 't', 'Ada')
    await close(tl, 't')
    await open(tl, 't', 'Bob')
    const head = await tl.log.head('t')
    const view = tl.app('tickets').view(role)
    for (let from = -1; from < head; from++) {
      const followed = await view.follow('t', from)
      expect(followed.state).toEqual((await view.state('t', from)).state)
      for await (const records of tl.log.read('t', { after: from })) {
        for (const record of records) {
          followed.take(record)
          expect(followed.state).toEqual((await view.state('t', record.seq)).state)
        }
      }
    }
    await tl.close()
  },
)
