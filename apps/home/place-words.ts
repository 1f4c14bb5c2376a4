/** The names of shared places in the command palette of the operators' pages. */
export const PLACE_WORDS = {
  start: 'Start page',
  threads: 'All threads',
  desk: 'A new refunds desk',
  team: 'The team',
  components: 'Components',
  cases: 'Your cases in this browser',
  together: 'All three pages of a demonstration',
  installer: 'Installer page of a case',
  customer: 'Customer page of a case',
  audit: 'Audit of a case',
  started: (when: string) => `Started ${when}`,
}
