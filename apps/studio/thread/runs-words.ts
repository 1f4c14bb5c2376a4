/** Everything that the view of runs says. */
export const RUNS_WORDS = {
  title: 'Runs',
  about: 'Time that waits for a person is folded. A name leads to the record with which it began.',
  opening: 'Reading the runs',
  none: 'No agent has run in this thread.',
  turn: 'Turn',
  turnOf: (at: number, agent: string, when: string) => `${at}: ${agent}, ${when}`,
  csv: 'Download as CSV',
  table: 'What ran in this turn',
  usage: 'Model calls of the whole thread',
  working: 'at work',
  unknown: 'not known',
  figures: {
    whole: 'whole turn',
    waited: 'waited for a person',
    tokens: 'tokens',
    cost: 'cost',
    refused: 'refused',
  },
  columns: {
    what: 'What ran',
    when: 'When',
    took: 'Took',
    tokens: 'Tokens',
    cost: 'Cost',
    ended: 'Ended',
  },
}
