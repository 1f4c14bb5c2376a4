import { assert } from '../assert/index.ts'
import { same } from './contract-rule.ts'
import type { KeyState, Keys } from './keys.ts'
import type { ContractCase } from './log.contract.ts'

interface KeysRule {
  readonly name: string
  readonly check: (keys: Keys) => Promise<void>
}

const ERASURE = { at: 1_000, by: 'kim', why: 'asked on 3 March' }

const RULES: readonly KeysRule[] = [
  {
    name: 'a subject keeps its key, and no two have the same',
    async check(keys) {
      same(await keys.find('a'), undefined, 'a subject without a key')
      const [a, b] = [await kept(keys, 'a'), await kept(keys, 'b')]
      same(await kept(keys, 'a'), a, 'asked again')
      same(stateText(await keys.find('a')), stateText({ status: 'kept', key: a.key }), 'found')
      assert(a.key.bytes.length === 32, `A key of ${a.key.bytes.length} bytes`)
      assert(a.text !== b.text && a.key.id !== b.key.id, 'Two subjects share a key')
    },
  },
  {
    name: 'many who ask for the key of a new subject at once get one key',
    async check(keys) {
      const asked = Array.from({ length: 20 }, () => kept(keys, 'a'))
      const texts = new Set((await Promise.all(asked)).map(({ text }) => text))
      same(texts.size, 1, 'keys')
    },
  },
  {
    name: '[L4] an erased subject gets no key any more, whether or not it had one',
    async check(keys) {
      await kept(keys, 'a')
      for (const subject of ['a', 'never seen']) {
        await keys.erase(subject, ERASURE)
        for (const state of [await keys.keyOf(subject), await keys.find(subject)]) {
          same(state, { status: 'erased', erasure: ERASURE }, subject)
        }
      }
      await kept(keys, 'b')
    },
  },
  {
    name: 'of two erasures the first stays on record',
    async check(keys) {
      await keys.erase('a', ERASURE)
      await keys.erase('a', { at: 2_000, by: 'lee', why: 'again' })
      same(await keys.find('a'), { status: 'erased', erasure: ERASURE }, 'state')
    },
  },
  {
    name: 'erased subjects are listed by their names, page by page',
    async check(keys) {
      for (const subject of ['c', 'a', 'B', 'é']) await keys.erase(subject, ERASURE)
      await kept(keys, 'b')
      const names = async (after: string, limit: number) =>
        (await keys.erased(after, limit)).map(({ subject }) => subject)
      same(await names('', 10), ['B', 'a', 'c', 'é'], 'all')
      same(await names('B', 2), ['a', 'c'], 'a page')
      same(await keys.erased('c', 9), [{ subject: 'é', ...ERASURE }], 'the last one')
    },
  },
  {
    name: 'the position that was followed never goes back',
    async check(keys) {
      same(await keys.followed(), -1, 'at first')
      await keys.follow(7)
      await keys.follow(3)
      same(await keys.followed(), 7, 'afterwards')
    },
  },
]

/**
 * The contract of every store of keys, as data for any test runner. Each case opens a store of its own, which
 * must hold nothing, and closes it.
 */
export function keysContract(open: () => Keys | Promise<Keys>): readonly ContractCase[] {
  return RULES.map(({ name, check }) => ({
    name,
    run: async () => {
      const keys = await open()
      try {
        await check(keys)
      } finally {
        await keys.close()
      }
    },
  }))
}

async function kept(keys: Keys, subject: string) {
  const state = await keys.keyOf(subject)
  assert(state.status === 'kept', `"${subject}" is erased`)
  return { key: state.key, text: stateText(state) }
}

function stateText(state: KeyState | undefined): string {
  if (state?.status !== 'kept') return JSON.stringify(state)
  return `${state.key.id} ${[...state.key.bytes].join()}`
}
