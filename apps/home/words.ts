import type { LoanOutcome } from '../broker/case/loan-outcome.ts'
import type { Scenario } from './case-links.ts'

/** Everything that the start page says. */
export const WORDS = {
  threads: 'All threads, and a search in them',
  title: { what: 'See who did what, and why.', when: 'Live, and years later.' },
  text: 'People, AI and rules work on one record that nobody can quietly change. Try it with a home-energy loan.',
  actors: {
    person: {
      name: 'A person',
      text: 'The installer describes the project. The customer presses each button.',
    },
    model: {
      name: 'A model',
      text: 'The assistant listens and explains. It never agrees to anything.',
    },
    rule: {
      name: 'A rule',
      text: 'The right text is shown at the right time, or nothing goes on.',
    },
    system: { name: 'A system', text: 'Lenders answer. Every answer is kept, in order.' },
  },
  loan: {
    eyebrow: 'Demonstration 1, about 3 minutes',
    title: 'A loan for solar panels',
    text: 'You play the installer, then the customer on a phone. The lenders are invented.',
    scenario: 'How should the lenders answer?',
    scenarios: {
      auto: 'As they decide',
      clean: 'They say yes',
      counter: 'A different offer',
      decline: 'They all decline',
    } satisfies Record<Scenario, string>,
    start: 'Start as the installer',
    message:
      'Solar and a battery for £17,500, ten percent deposit. The customer is Sarah, sarah@example.com, 07700 900123.',
  },
  desk: {
    eyebrow: 'Demonstration 2',
    title: 'A refunds desk of agents',
    text: 'Six AI agents settle a complaint. Above £50 they stop and ask you.',
    agents: {
      orders: { who: 'orders', does: 'finds the parcel' },
      policy: { who: 'policy', does: 'reads the rules' },
    },
    you: 'agree or refuse',
    open: 'Open the desk',
  },
  team: {
    eyebrow: 'Demonstration 3',
    title: 'A team with a coding agent',
    text: 'A coding agent leads the others. Reload, or open a second tab: nothing is lost.',
    agents: {
      lead: { who: 'Julian', does: 'hands out the work' },
      writer: { who: 'Lyra', does: 'writes the plan' },
    },
    you: 'allow or refuse commands',
    open: 'Open the team',
  },
  step: { done: 'Done', waits: 'Waits', you: 'You' },
  own: {
    title: 'Start a case on separate devices',
    text: 'This case is not a demonstration. Give each person their own link.',
    retailer: 'Retailer',
    hint: 'Optional. The installer can name it later.',
    start: 'Start a case',
    failed: 'We could not start the case. Nothing was recorded. Try again.',
    cause: (detail: string) => `Cause: ${detail}`,
  },
  signIn: {
    title: 'Sign in',
    text: 'Only the operator of this server can do this. Enter the token that the server was started with.',
    token: 'Operator token',
    signIn: 'Sign in',
    missing: 'Enter the operator token.',
    wrong: 'This is not the operator token. Check it and try again.',
    tooMany: (seconds: number) => `Too many wrong tokens. Wait ${seconds} seconds, then try again.`,
    failed: 'The server could not sign you in. Try again.',
  },
  signOut: {
    text: 'You are signed in as the operator. When you sign out, this browser also forgets its cases.',
    signOut: 'Sign out',
    failed: 'The server could not sign you out. Try again.',
  },
  started: {
    title: 'The case is ready',
    text: 'Keep these links to yourself. Anyone who has one can open the case in that role.',
    open: 'Open as the installer',
    installer: 'Installer: take down the project',
    customer: 'Customer: apply on a phone',
    audit: 'Audit: see every record',
  },
  cases: {
    title: 'Your cases in this browser',
    text: 'This browser opens them for 30 days. Nobody else can open them without a link.',
    started: (when: string) => `Started ${when}`,
    named: (name: string, amount: string) => `${name}, ${amount}`,
    unnamed: 'New customer',
    withInstaller: 'With the installer',
    step: (step: number, of: number) => `Step ${step} of ${of}`,
    outcomes: {
      loan_accepted: 'Loan accepted',
      no_loan: 'No loan',
    } satisfies Record<LoanOutcome, string>,
    demonstration: 'Demonstration',
    together: 'All three',
    installer: 'Installer',
    customer: 'Customer',
    audit: 'Audit',
    forget: 'Forget',
  },
  palette: { acts: 'Do' },
  health: {
    checking: 'Checking the server',
    working: 'All working',
    silent: 'The server does not answer. Reload the page to try again.',
    version: (version: string) => `Version ${version}`,
    place: 'Cases stay on this server',
    json: 'Health as JSON',
  },
}
