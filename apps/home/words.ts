import type { Scenario } from './case-links.ts'

/** Everything that the start page says. */
export const WORDS = {
  text: 'One durable log between agents, the state they act on, and everyone who watches.',
  applications: 'Applications',
  broker: {
    name: 'Broker',
    text: 'An installer takes down a solar project, the customer applies for credit on their phone, and every step is recorded.',
    link: 'Start a case',
  },
  studio: {
    name: 'Studio',
    text: 'What happened in a case, who caused it, and the state it led to. Every new case comes with a link to it.',
    link: 'Start a case to audit',
  },
  desk: {
    name: 'Refunds desk',
    text: 'Agents that call agents: who works on what, live, how deep you want to look, and what it used.',
    link: 'Ask the desk',
  },
  server: { name: 'Server', text: 'Version, store and health as JSON.', link: 'Health' },
  start: {
    title: 'Start a case',
    retailer: 'Retailer',
    hint: 'Optional. The installer can name it later.',
    scenario: "The demonstration's lenders",
    scenarioHint: "By default they decide by the customer's figures.",
    scenarios: {
      auto: "decide by the customer's figures",
      clean: 'approve what is asked for',
      counter: 'make a different offer',
      decline: 'all decline',
    } satisfies Record<Scenario, string>,
    start: 'Start a case',
    starting: 'Starting',
    failed: 'The case could not be started.',
    cause: (detail: string) => `Cause: ${detail}`,
  },
  started: {
    title: 'The case is ready',
    text: 'Keep these links to yourself: whoever has one can open the case in that role.',
    open: 'Open as the installer',
    installer: 'Installer: take down the project',
    customer: 'Customer: apply on a phone',
    demo: 'Customer, with the bar of a demonstration',
    audit: 'Audit: see every record',
  },
  cases: {
    title: 'Cases started in this browser',
    text: 'This browser opens them without the whole link, for as long as their links work.',
    started: (when: string) => `Started ${when}`,
    installer: 'Installer',
    customer: 'Customer',
    demo: 'Customer, demonstration',
    audit: 'Audit',
    forget: 'Forget',
  },
}
