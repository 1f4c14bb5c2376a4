import type { Row } from './promised.ts'

/** The promises against attacks, with ids that begin with X. */
export const SECURITY_PROMISES: readonly Row[] = [
  [
    'X1',
    '10,000 random inputs per endpoint',
    '0 answers of 5xx, 0 crashes, 0 stack traces, state unchanged by a 4xx',
    'full',
  ],
  ['X2', 'JSON nests deeply', 'a 4xx, the server lives', 'quick'],
  ['X3', 'a small input grows large', 'a 4xx, the server lives', 'quick'],
  [
    'X4',
    'an object has `__proto__` or a key twice',
    'a 4xx, 0 polluted objects, 0 changed decisions',
    'quick',
  ],
  ['X5', 'numbers are odd: `1e999`, `-0`, `NaN`, beyond 2^53', '0 changed decisions', 'quick'],
  ['X6', 'about 1,000 tokens and seeds are altered', '0 accepted', 'quick'],
  ['X7', 'every role tries every route on every object', '0 read or written across', 'quick'],
  ['X8', 'another site sends requests', '0 accepted', 'quick'],
  ['X9', 'script is in prose, names, payloads', '0 run', 'quick'],
  ['X10', 'formulas are in the exported CSV', '0 are cells that run', 'quick'],
  ['X11', 'paths climb out of the folder of pages', '0 files served', 'quick'],
  ['X12', 'line breaks and ANSI codes reach headers and logs', '0 forged', 'quick'],
  [
    'X13',
    '60 personal values are planted in a whole journey',
    '0 found in logs, errors, URLs, metrics',
    'quick',
  ],
  [
    'X14',
    'the secret or the operator’s token is empty, blank, short or unreadable; 50 first starts at once; a full disk; any umask',
    '0 of 20 bad ones start, one secret is made, none on a full disk, the secret is 0600 and our folders 0700',
    'quick',
  ],
  [
    'X15',
    'the secret is rotated: several are listed, in any order, then one is removed',
    'all tokens, seeds, sessions and cookies under a listed one are accepted, 0 under a removed one',
    'quick',
  ],
  [
    'X16',
    'cookies are set behind a TLS proxy or on loopback',
    'all are `__Host-`, Secure, HttpOnly, SameSite=Strict behind PUBLIC_URL, plain on loopback only; 0 hold the operator’s token; a signed-out session stays out',
    'quick',
  ],
  [
    'X17',
    '10,000 guesses of the operator’s token, from one address and from many',
    'at most 10 a minute of each address are compared, the others get a 429; other addresses are not held up',
    'quick',
  ],
  [
    'X18',
    'tokens are issued and revoked at two servers at once, their clocks an hour apart',
    '0 revoked accepted, 0 issued later refused in 1,000 interleavings',
    'quick',
  ],
  [
    'X19',
    'recovery seeds are older, forked, of another log or expired, over 2 to 4 servers and back',
    '0 of 500 histories changed by any seed but one that descends from what the store holds; forks are refused and recorded',
    'quick',
  ],
  [
    'X20',
    'one token opens streams, takes turns and reads long threads without a pause',
    'over its quota it gets 429 with `retry-after`; 0 requests of other tokens are refused, and long reads let them be answered',
    'quick',
  ],
  [
    'X21',
    'a person answers too early or for another surface, two applications begin one thread, a program names a role that is none',
    '0 answers to questions that are not open or not theirs, 0 threads of two applications, 0 roles that are not declared',
    'quick',
  ],
  [
    'X22',
    'views throw, hidden ids are sent again, hidden questions are answered: errors are read by roles that may not see what they are about',
    '0 errors that tell a role what its view hides',
    'quick',
  ],
  [
    'X23',
    'a record cannot be read, or a view throws, in the middle of an export',
    '0 broken exports that look whole or print hidden data; each whole one says in its last line how many records it holds',
    'quick',
  ],
  [
    'X24',
    'events are on record, and the view that shows the answer throws or rejects',
    '0 answers that deny what is stored; each names the ids; 0 unhandled rejections',
    'quick',
  ],
]
