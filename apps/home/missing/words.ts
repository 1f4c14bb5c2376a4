/** Everything that the page for unknown addresses says. */
export const WORDS = {
  tab: 'Page not found – Throughline',
  title: 'There is no page at this address',
  text: 'The address may be cut short or mistyped. Your cases are safe.',
  acts: {
    copy: 'Check that the whole link was copied.',
    newLink: 'Applying for a loan? Ask your installer for a new link.',
  },
}
