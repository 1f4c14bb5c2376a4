import { startOf } from 'throughline/client'
import { callWords } from '../../../kit/index.ts'
import type { CallPart } from './talk.ts'

/** Characters of a call on a face. */
const SHORT_MAX = 24

/** What an agent is at, in as few words as a face has room for. */
export function shortCall({ name, input }: CallPart): string {
  const { object } = callWords(name, input)
  const [line = ''] = object.split('\n')
  const last = line.includes(' ') ? line : (line.split('/').at(-1) ?? line)
  return startOf(last === '' ? name : last, SHORT_MAX)
}
