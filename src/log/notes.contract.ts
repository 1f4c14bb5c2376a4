import { same } from './contract-rule.ts'
import type { ContractRule } from './contract-rule.ts'

const TEXTS = ['', '{"é":"\\u0000"}', 'x'.repeat(200_000)]

/** For logs that keep notes. */
export const NOTES_RULES: readonly ContractRule[] = [
  {
    name: 'a note is read as it was written, under its own name only',
    async check({ notes }) {
      if (!notes) return
      same(await notes.read('a'), undefined, 'a note that nobody wrote')
      let before: string | undefined
      for (const after of TEXTS) {
        same(await notes.replace('a', { before, after }), true, 'a change')
        same(await notes.read('a'), after, 'the note')
        before = after
      }
      for (const other of ['b', 'fence', 'epoch', "a' OR '1'='1"]) {
        same(await notes.read(other), undefined, `the note "${other}"`)
      }
    },
  },
  {
    name: 'a note that is no longer what its writer read is left alone',
    async check({ notes }) {
      if (!notes) return
      same(await notes.replace('a', { before: 'one', after: 'two' }), false, 'a change of nothing')
      same(await notes.read('a'), undefined, 'the note')
      const writers = ['one', 'two', 'three'].map((after) =>
        notes.replace('a', { before: undefined, after }),
      )
      const written = await Promise.all(writers)
      same(written.filter(Boolean).length, 1, 'first writers')
      const first = ['one', 'two', 'three'][written.indexOf(true)]
      same(await notes.read('a'), first, 'the note of the first writer')
      same(await notes.replace('a', { before: 'four', after: 'five' }), false, 'a late change')
      same(await notes.read('a'), first, 'the note after the late change')
    },
  },
]
