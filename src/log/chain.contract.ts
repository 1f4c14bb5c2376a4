import { NOTHING_UNANCHORED } from './event-log.ts'
import type { ThreadVerification, Verification } from './event-log.ts'
import { event, events, same, stored } from './contract-rule.ts'
import type { ContractRule } from './contract-rule.ts'
import { referenceSha256 } from './reference-sha256.ts'

export const CHAIN_RULES: readonly ContractRule[] = [
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
        same(hash, await referenceSha256(`${prev}\n${text}`), `hash of ${record.seq}`)
        prev = hash
      }
    },
  },
  {
    name: '[L1] an untouched thread verifies',
    async check(log) {
      const sound = (head: number) => ({ ok: true, head, ...NOTHING_UNANCHORED })
      same(await log.verify('t'), sound(-1), 'a thread that holds nothing')
      await log.append('t', events(0, 700))
      await log.append('u', [event(0)])
      same(withoutAnchor(await log.verify('t')), sound(699), 'a thread')
      same(withoutAnchor(await log.verify('u')), sound(0), 'another thread')
    },
  },
  {
    name: '[L9] the verdict on the whole log is that on each thread, from any of them on',
    async check(log) {
      for (const thread of ['b', 'a', 'c']) await log.append(thread, events(0, 3))
      const verdicts = async (options?: { readonly from: number }) => {
        const all: ThreadVerification[] = []
        for await (const verdict of log.verifyAll(options)) all.push(verdict)
        return all
      }
      const each = ['b', 'a', 'c'].map(async (thread) => ({
        thread,
        ...(await log.verify(thread)),
      }))
      const expected = await Promise.all(each)
      same(await verdicts(), expected, 'all threads')
      same(await verdicts({ from: 2 }), expected.slice(2), 'the last thread')
      same(await verdicts({ from: 3 }), [], 'no thread')
    },
  },
]

/** An anchor tells when it was made; whether it vouches for the head shows in the rest. */
function withoutAnchor({ anchored: _, ...rest }: Verification): unknown {
  return rest
}
