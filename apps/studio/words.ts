/** Everything that the studio says, apart from the sentences of records. */
export const WORDS = {
  title: 'Audit',
  thread: (id: string) => `Thread ${id}`,
  opening: 'Opening the thread',
  records: (count: number) => (count === 1 ? '1 record' : `${count} records`),
  timeline: 'Records, oldest first',
  json: 'Record as JSON',
  state: 'State',
  stateAt: (seq: number) => `State at record ${seq}`,
  stateNow: 'State now',
  stateLoading: 'Reading the state',
  stateFailed: 'The state could not be read.',
  showState: (seq: number) => `Show the state at record ${seq}`,
  follow: 'Back to the latest',
  tail: { live: 'Live', paused: 'Not live' },
  verify: {
    checking: 'Checking the chain',
    ok: (head: number) => `Chain verified up to record ${head}`,
    broken: (seq: number) => `Chain broken at record ${seq}`,
    failed: 'The chain could not be checked',
    again: 'Check again',
  },
}
