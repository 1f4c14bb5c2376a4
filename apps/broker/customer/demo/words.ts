import type { DemoScenario } from '../../lenders/panel.ts'

/** The texts of a demonstration's bar. */
export const DEMO_WORDS = {
  label: 'Demonstration',
  trust: 'Statements are shown',
  inline: 'in this page',
  hosted: "on the broker's page",
  scenario: "Lenders' answers in a new case",
  scenarios: {
    auto: "By the customer's figures",
    clean: 'Approved as asked for',
    counter: 'A different offer',
    decline: 'All decline',
  } satisfies Record<DemoScenario, string>,
  start: 'Start a new case',
  starting: 'Starting',
  failed: 'No new case could be started: only who runs the server may.',
  audit: 'Audit of this case',
  auditHint: 'It opens where its own link has been opened before.',
}
