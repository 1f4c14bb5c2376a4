import { event, events, same, stored } from './law.ts'
import type { Law } from './law.ts'
import { referenceSha256 } from './reference-sha256.ts'

export const CHAIN_LAWS: readonly Law[] = [
  {
    name: 'every hash covers the record and the hash before it, as a stranger computes them',
    async check(log) {
      await log.append('t', [event(0, { 2: 'b', 1: 'a' }), event(1, 'Grüße \ud800')])
      await log.append('t', [event(2)])
      let prev = '0'.repeat(64)
      for (const record of await stored(log, 't')) {
        const { hash, ...body } = record
        const text = JSON.stringify(body)
        same(Object.keys(body).join(), 'seq,id,thread,ts,type,data,origin,v,prev', 'members')
        same(record.prev, prev, `prev of ${record.seq}`)
        same(hash, referenceSha256(`${prev}\n${text}`), `hash of ${record.seq}`)
        prev = hash
      }
    },
  },
  {
    name: '[L1] an untouched thread verifies',
    async check(log) {
      same(await log.verify('t'), { ok: true, head: -1 }, 'a thread that holds nothing')
      await log.append('t', events(0, 700))
      await log.append('u', [event(0)])
      same(await log.verify('t'), { ok: true, head: 699 }, 'a thread')
      same(await log.verify('u'), { ok: true, head: 0 }, 'another thread')
    },
  },
]
