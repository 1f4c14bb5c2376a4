import type { Row } from './promised.ts'

/** The promises of what proposals, rules and requests make of the state, with ids that begin with S. */
export const STATE_PROMISES: readonly Row[] = [
  [
    'S1',
    'eight writers append with slow commits and appends that fail',
    'readers miss 0; one that trusts numbers given before the commit misses many',
    'quick',
  ],
  [
    'S2',
    'one request arrives 100 times at once under one Idempotency-Key',
    '1 execution, 100 identical answers; another body is a 422; a key of another caller reveals nothing',
    'quick',
  ],
  [
    'S3',
    'two tabs, a rule and the model submit one application while the server is killed',
    'each lender decides once per submission in 200 races',
    'full',
  ],
  [
    'S4',
    '50 appends expect the same version',
    '1 wins, 49 conflict, the state is that of the same appends one after the other',
    'quick',
  ],
  [
    'S5',
    'events come in any order: 10,000 random sequences',
    'one state hash over a replay and over a snapshot and the rest at every cut; 0 illegal transitions',
    'quick',
  ],
  [
    'S6',
    'rules run on any state',
    'they settle within their bound, a second run proposes nothing, 0 evidence without a person’s act',
    'quick',
  ],
  ['S7', 'consents that are known arrive again', '0 changes of state in 1,000', 'quick'],
  [
    'S8',
    'the clock goes back an hour and forward a year',
    'seqs and order do not depend on it, a timer fires at most once',
    'full',
  ],
  [
    'S9',
    'logs that were written under every released schema are read again',
    'all replay to the hash that was recorded',
    'quick',
  ],
  [
    'S10',
    'events are unknown or malformed',
    'all are recorded with a reason and a digest, 0 vanish',
    'quick',
  ],
  [
    'S11',
    'an acknowledgement or a consent names another text than the one that was shown, or none',
    '0 of 1,000 that name another text accepted; each that names none is recorded as unbound and named by the audit; our pages always name it',
    'quick',
  ],
  [
    'S12',
    'links are opened, some of the installer’s and the customer’s in one browser',
    'every opening recorded with role, browser session and time; 50 of 50 mixed journeys shown as an anomaly, 0 of 50 clean ones',
    'quick',
  ],
  [
    'S13',
    'a key is used again with other content, on every route that takes one, before and after a restart',
    '422 in 100 %, 0 executions; the first content again gets the first answer',
    'quick',
  ],
  [
    'S14',
    'a domain or an agent uses a reserved name, or one name twice',
    'all refused where they are defined, with the name and the mend; 0 reach the gate',
    'quick',
  ],
  [
    'S15',
    'turns, runs, sub-agents, hand-offs, cancels, waits and crashes come in any mix: 2,000 random mixes, in full 20,000',
    'each run ends once, deepest first, nothing of a run after its end; the next turn works',
    'quick, full',
  ],
  [
    'S16',
    'views, tools, instructions, runners and indexes write into the state or the records that they get; a kept state is not what the records give',
    '0 changes of what others read; a kept state that differs is replaced once its thread is verified',
    'quick',
  ],
  [
    'S17',
    'two servers have one team; requests come to either, one is killed',
    'at most one program, 0 messages answered twice, a permission given at either reaches it',
    'quick',
  ],
  [
    'S18',
    'the team’s program ends on a message each time that it gets it; the server is killed in between',
    'after 2 ends the message is set aside, named on record, and the next one is answered; the session can be ended in every state',
    'quick',
  ],
  [
    'S19',
    'the provider refuses the key or the login of the team’s program',
    'after 2 refused calls the turn ends as `auth_failed`, and sign-in and health say so; the next success takes it back',
    'quick, full',
  ],
  [
    'S20',
    'the team’s session spends its budget of dollars or tokens; its program ends, and the server starts anew, in between',
    'it is said once at 80 % and once at 100 %; 0 turns begin beyond, 0 messages are lost, and they go on once a person raises the budget',
    'quick',
  ],
]
