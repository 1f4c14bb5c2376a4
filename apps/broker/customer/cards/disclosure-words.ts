/** Texts around a regulated text. */
export const DISCLOSURE_WORDS = {
  loading: 'Loading the text',
  failed: 'We could not load the text. The fault is ours.',
  service: {
    title: 'Here is who we are',
    greeting: (name: string) => `Hello ${name}. Here is who we are`,
    lead: (retailer: string) =>
      `${retailer} introduced you. We help you apply for a loan for your system. Read this first.`,
    understand: 'I understand',
  },
  jump: 'The full text is below.',
  jumpUnderPoints: 'Main points. The full text is below.',
  readIt: 'Read it',
  version: (version: number, minutes: string) => `Full text, version ${version}, ${minutes}`,
  minutes: (minutes: number) => (minutes <= 1 ? 'about 1 minute' : `about ${minutes} minutes`),
  end: 'That is all of it.',
}
