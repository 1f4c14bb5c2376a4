/** Everything that the page of the demonstration says around its three panes. */
export const WORDS = {
  tab: 'Demonstration – Throughline',
  title: 'A loan for solar panels',
  page: 'Demonstration',
  hint: 'You play everyone, and the lenders are invented.',
  panes: {
    label: 'Whose page',
    installer: 'Installer',
    customer: 'Customer’s phone',
    audit: 'Audit',
  },
  first: {
    installer: 'Start here: press Send. The message is ready.',
    customer: 'Next: answer each card, as the customer.',
    audit: 'Watch each act arrive. Press one to see why.',
  },
  open: 'Open in a tab',
}
