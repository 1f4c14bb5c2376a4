import { resumedBy } from '../activity/index.ts'
import { equalJson, isJsonObject, membersOf, textOf } from '../json/index.ts'
import { recordedDigest } from '../gate/index.ts'
import type { EventLog, LogRecord, Sha256 } from '../log/index.ts'
import type { Json } from '../json/index.ts'
import type { ClientResult, InterruptAnswer } from './client-request.ts'
import type { TurnInput } from './opening.ts'

/** What a run was asked for. */
export type RunRequest =
  | ({ readonly agent: string; readonly input: string } & Pick<
      TurnInput,
      'events' | 'first' | 'messages'
    >)
  | GivenAnswers
  | { readonly run: string; readonly values: Readonly<Record<string, Json>> }

/** What a client answered, as the turn's id is made from it. */
interface GivenAnswers {
  readonly agent: string
  readonly answers: readonly InterruptAnswer[]
  readonly results: readonly ClientResult[]
}

/** The run's own record, and those of the prompt that were appended with it. */
const OPENING_RECORDS = 4

export function requestDigest(request: RunRequest, sha256: Sha256): string {
  return sha256(JSON.stringify(request))
}

/** Whether the run that began with this record was asked for with this request. */
export async function matchesRecordedRequest(
  log: EventLog,
  start: LogRecord,
  { request, digest = '' }: { readonly request: RunRequest; readonly digest?: string | undefined },
): Promise<boolean> {
  const before = recordedDigest(start)
  if (before !== '') return before === digest
  return readsAs(log, start, request)
}

/** Compares a request with the records of a run of an older build, which recorded no digest. */
async function readsAs(log: EventLog, start: LogRecord, request: RunRequest): Promise<boolean> {
  // No older build took these.
  if ('answers' in request) return false
  if ('values' in request) return answeredWith(start, request.values)
  // A narrator's message followed its run in a later append, perhaps never.
  if (start.origin.surface !== undefined) return start.origin.agent === request.agent
  let prompt = ''
  const opening = { after: start.seq, limit: OPENING_RECORDS - 1 }
  for await (const records of log.read(start.thread, opening)) {
    prompt += records
      .map((record) => (isPrompt(record, start.id) ? textOf(record.data, 'delta') : ''))
      .join('')
  }
  return start.origin.agent === request.agent && prompt === request.input
}

function isPrompt({ type, origin }: LogRecord, run: string): boolean {
  return type === 'TEXT_MESSAGE_CONTENT' && origin.source === 'ui' && origin.run === run
}

/** Whether each value that was answered is the one given now, and nothing else is given. */
function answeredWith(start: LogRecord, values: Readonly<Record<string, Json>>): boolean {
  const known = new Set<string>()
  for (const answer of resumedBy(start) ?? []) {
    const wait = textOf(answer, 'interruptId')
    const own = values[wait]
    const given = isJsonObject(own) ? own : values
    const payload = membersOf(membersOf(answer)['payload'] ?? null)
    for (const [name, value] of Object.entries(payload)) {
      if (!equalJson(given[name], value)) return false
      known.add(given === values ? name : wait)
    }
  }
  // A reason that is no text was not kept.
  const unkept = (name: string): boolean => name === 'reason' && typeof values[name] !== 'string'
  return Object.keys(values).every((name) => known.has(name) || unkept(name))
}
