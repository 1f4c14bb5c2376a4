import type { Promised, Row } from './promised.ts'
import { SECURITY_PROMISES } from './security-promises.ts'
import { STATE_PROMISES } from './state-promises.ts'

const ROWS: readonly Row[] = [
  [
    'D1',
    'the process is killed while it appends',
    '0 acknowledged lost, 0 doubled, 0 gaps, every chain verifies; 30 kills, in full 200',
    'quick, full',
  ],
  [
    'D2',
    'the power goes: writes that were not synced are lost or torn',
    '0 acknowledged lost at 100 moments, in full 300; a writer that syncs less loses some',
    'quick, full',
  ],
  [
    'D3',
    'the disk is full',
    'appends are refused as `storage_full`, reads go on, appends go on within 5 s of there being room',
    'quick',
  ],
  [
    'D4',
    'a write or a sync fails',
    'the first one is answered to the client and ends the process within 1 s with a clear code; the handle is not used again',
    'full',
  ],
  [
    'D5',
    'bits of the database or its write-ahead log flip',
    '50 of 50 refused, or reported with the first bad seq',
    'full',
  ],
  [
    'D6',
    'a backup is taken under load and restored elsewhere',
    'it verifies; the time to restore 100,000 events is reported',
    'full',
  ],
  [
    'D7',
    'Postgres is killed during an append',
    '10 kills: 0 acknowledged lost, 0 doubled, appends in doubt are settled by event id',
    'later',
  ],
  [
    'D8',
    'Postgres is paused, its connections are cut',
    'appends fail within 5 s, connections heal within 2 s, no request hangs',
    'later',
  ],
  [
    'D9',
    'the leader of three JetStream nodes is paused for 12 s or killed',
    '0 acknowledged lost; a server that does not sync always is refused at the start',
    'later',
  ],
  [
    'D11',
    'a writer, or the holder of a lease, wakes up after another one took over',
    '0 of its events enter, the signal of the lease aborts; a second process on one SQLite file does not start',
    'quick',
  ],
  [
    'D12',
    'a recovery is killed, three times running',
    '0 acknowledged lost, one end per run, no effect twice, the fourth start serves; at every labelled point, in full 200 kills',
    'quick, full',
  ],
  [
    'D13',
    'one write after the other finds no space, one request for memory after the other none: at the start, in appends, when the write-ahead log is moved, in a recovery',
    '0 acknowledged lost; a named refusal, or the process ends; the next start is sound; in full every write, in every run a tenth',
    'quick, full',
  ],
  [
    'D14',
    'two servers on one log are killed, stopped for seconds, cut off from it, told late, with wrong clocks and a full disk, all from one seed',
    'nothing acknowledged is lost, every run, effect and deadline ends once, readers and both states agree; a seed repeats its history; in full 50,000 histories',
    'quick, full',
  ],
  [
    'D15',
    'the disk is full, or the database is away or read-only, for seconds in the middle of work',
    'every run has one end, every outcome and every line is on record within 10 s after it; 0 processes end',
    'quick',
  ],
  [
    'D16',
    'effects fail, hang or give garbage, their process dies, the clock jumps',
    'one recorded outcome per effect and one record per deadline; none that is due stays open',
    'quick',
  ],
  ...STATE_PROMISES,
  [
    'E1',
    'a reader is cut off 500 times while 5,000 events flow',
    '0 missed, 0 doubled, in order',
    'quick',
  ],
  [
    'E2',
    'a cursor is no number, negative, in the future, of another log, a megabyte long',
    'a 400, or a reset with a snapshot; 0 streams that say nothing',
    'quick',
  ],
  [
    'E3',
    '5,000 streams on two cores',
    'connected within 10 s, 20 events at all of them within 5 s, at most 500 MB; three reconnect storms leave descriptors and memory within 10 %',
    'full',
  ],
  [
    'E4',
    '50 readers stall, each with 20 MB before it',
    'at most 64 MB more, they are dropped with their cursor within 10 s, the others’ p99 at most doubles',
    'full',
  ],
  [
    'E5',
    'line breaks, U+2028 and lone surrogates are in every field',
    '0 forged frames in 10,000',
    'quick',
  ],
  [
    'E6',
    'the server restarts under 500 readers',
    'all go on within 15 s, 0 missed, never a 5xx on a stream while it drains',
    'full',
  ],
  ['E8', 'a token is revoked', 'its open stream is closed within 5 s', 'quick'],
  [
    'E11',
    'the customer’s stream is read',
    '0 fields of the installer, the audit, reasoning, tools or prompts; the cursor goes on all the same',
    'quick',
  ],
  [
    'M1',
    'the model says 10,000 hostile things',
    '0 applied beyond its authority, all recorded',
    'quick',
  ],
  [
    'M2',
    'the model foreignTags a tag from any field that reaches a prompt: whole, hidden, split, or after 200 other texts',
    '0 of 5,000 applied; no field lacks a case; 0 events of a whole journey refused',
    'quick',
  ],
  [
    'M3',
    'the model’s text arrives in pieces: every split of 200 outputs, 10,000 random ones',
    'the same events and prose as in one piece, 0 bytes of a tag shown',
    'quick',
  ],
  [
    'M5',
    'the provider is busy, broken, silent, slow, cut off, empty, unwilling or endless',
    'the run ends, the next turn works, 0 events twice',
    'quick',
  ],
  ['M6', '10,000 random histories are sent', 'all pass a strict check of the request', 'quick'],
  [
    'M7',
    'the process dies during a turn, at every labelled point',
    'one terminal event after the restart, no effect twice',
    'quick, full',
  ],
  ['M8', '50 messages at once against a budget', '0 model calls above it', 'quick'],
  [
    'M9',
    'narrators and agents spend a thread’s budget of a day: 50 sends at once, over restarts',
    '0 calls above it; the answer is `limit` with the time at which it ends',
    'quick',
  ],
  ...SECURITY_PROMISES,
  [
    'M10',
    'a schema accepts what no log can hold (`1e400`, `__proto__`, 129 levels, a BigInt), by a tag, a tool or a program',
    'each is refused with its place; 0 runs lost, their text and usage stay',
    'quick',
  ],
  [
    'M11',
    'a history passes its limit, in one turn or over many; summaries fail, are empty, cut or too long',
    'the first request, the open one and the newest summary are in every prompt; what is left out is named',
    'quick',
  ],
  [
    'L1',
    'the stored log is edited in 200 ways',
    '200 found with the first bad seq, 0 false alarms on 50 clean logs',
    'quick',
  ],
  [
    'L4',
    'a person is erased',
    '0 of 60 planted values in files, tables and answers, also after a kill between any two writes, and after the log or its keys were restored; the chain still verifies',
    'quick, full',
  ],
  ['L6', 'the studio shows the state at any seq', 'it is the state served live then', 'quick'],
  [
    'L7',
    'SIGTERM arrives under load',
    'requests end or fail cleanly, exit 0 within 10 s, 0 acknowledged lost',
    'quick',
  ],
  [
    'L8',
    '10 minutes of mixed load',
    'the heap grows at most 1 MB a minute, descriptors stay, write-ahead log at most 64 MB',
    'full',
  ],
  ['L9', 'logs are forged, cut or old', 'an independent verifier agrees on 100 of 100', 'quick'],
  ['L10', 'records are forged offline', '50 of 50 reported as unanchored, for ever', 'quick'],
  ['L11', 'heads are missing, spoiled or cut', '50 of 50 refused or reported each', 'quick'],
  [
    'L12',
    'an outsider checks heads of threads and the growth of a log by signed checkpoints; forged ones of each kind',
    'all sound ones accepted, no forged one',
    'quick',
  ],
  [
    'L13',
    'a start over many threads, few of them with open work; in full 100,000 and 100',
    'all open work is found without reading another thread; in full at most 200 ms of the processor more than over an empty store, opening the log and the first work in the background included',
    'quick, full',
  ],
  [
    'L15',
    'the index of threads is saved, lost, old, or its process crashes at any moment',
    '0 lists differ from what folding every thread of the log gives: 30 histories of drains, crashes and moves, in full 500',
    'quick, full',
  ],
]

/** Our promises, with their figures: docs/promises.md holds the measurements. */
export const PROMISES: readonly Promised[] = ROWS.map(([id, when, figure, tier]) => {
  return { id, when, figure, tier }
})
