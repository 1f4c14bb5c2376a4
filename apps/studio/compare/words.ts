import type { MatchedRow } from './matched-rows.ts'

/** Everything that the view of two sides says. */
export const COMPARE_WORDS = {
  title: 'Compare',
  about:
    'Two points of one thread, or two threads. Records are matched by what they are and their order, never by id or time.',
  link: 'the link to this comparison',
  point: (thread: string, seq: number) => `${thread}, after record ${seq}`,
  side: (letter: string, thread: string, seq: number) => `${letter}: ${thread} at ${seq}`,
  other: 'B: thread and record',
  otherHint: 'Such as case-7@33. You need to be able to open that thread.',
  compare: 'Compare',
  wrong: 'Enter a thread and a record, such as case-7@33',
  loading: 'Reading the other side',
  failed: (thread: string) => `The thread ${thread} could not be read.`,
  records: 'Records side by side',
  differing: (count: number, of: number) =>
    count === 0 ? `All ${of} are equal.` : `${count} of ${of} differ.`,
  latest: (count: number) => `Only the latest ${count} are compared.`,
  nothing: 'nothing here',
  kinds: {
    equal: 'equal',
    changed: 'differs',
    removed: 'only in A',
    added: 'only in B',
  } satisfies Record<MatchedRow['kind'], string>,
  state: 'State, B against A',
  sameState: 'Both states are equal.',
  noState: 'The states could not be read.',
  onlyFirst: 'Only the first difference is sure: what people did later, they did after reading it.',
}
