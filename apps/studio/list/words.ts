import { number } from '../../kit/index.ts'

/** Everything that the list of threads says. */
export const LIST_WORDS = {
  title: 'Threads',
  about: 'All threads that you may read, the one that moved last first.',
  loading: 'Reading the list of threads',
  none: 'There is no thread here. Remove a filter, or let an application begin one.',
  failed: 'The list could not be read. It is asked for again.',
  refused:
    'The server does not know you. Sign in where this application is, or open this page with a link that has a token.',
  filters: 'Filters',
  noFilters: 'Press a value below to list only the threads that have it.',
  remove: (words: string) => `Remove ${words}`,
  app: (name: string) => `application: ${name}`,
  value: (name: string, value: string) => `${name}: ${value}`,
  link: 'Link to this list',
  more: 'Show more threads',
  most: 'Only the first 1,000 threads are listed. Filter them to see others.',
  records: (head: number) => (head === 0 ? '1 record' : `${number(head + 1)} records`),
  moved: (when: string) => `moved ${when}`,
  waits: (count: number) => (count === 1 ? '1 waits for you' : `${count} wait for you`),
  search: {
    label: 'Find in all records',
    hint: 'What people and models wrote, and what events say',
    short: 'Enter at least two characters.',
    act: 'Search',
    clear: 'Back to the list',
    title: (text: string, app: string | undefined) =>
      app === undefined ? `Found: ${text}` : `Found in ${app}: ${text}`,
    searching: 'Searching',
    progress: (threads: number, records: number) =>
      `${number(records)} records of ${number(threads)} threads searched`,
    unread: (count: number) =>
      count === 1 ? 'One thread could not be read.' : `${number(count)} threads could not be read.`,
    whole: 'Everything was searched.',
    none: 'Nothing was found.',
    on: 'Search on',
    failed: 'The search could not go on.',
    record: (thread: string, seq: number) => `${thread}, record ${seq}`,
  },
}
