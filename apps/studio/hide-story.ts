import { membersOf, textOf } from 'throughline/json'
import type { Json } from 'throughline/json'
import type { LogRecord } from 'throughline/log'
import { tellThread } from './description.ts'
import type { DescribedStory, PersonalData } from './description.ts'
import { HIDDEN, hideAt, recordName } from './story/index.ts'
import type { RecoveredTelling, Told } from './story/index.ts'
import { WORDS } from './words.ts'

/** Free text of people and models may hold personal data, so all of it is hidden; ids and names stay. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  RUN_STARTED: ['input'],
  RUN_FINISHED: ['result'],
  TEXT_MESSAGE_CONTENT: ['delta'],
  REASONING_MESSAGE_CONTENT: ['delta'],
  TOOL_CALL_ARGS: ['delta'],
  TOOL_CALL_RESULT: ['content', 'metadata'],
  ACTIVITY_SNAPSHOT: ['content'],
  SUBAGENT_STARTED: ['description'],
  SUBAGENT_FINISHED: ['result'],
  RAW: [''],
  'throughline.note': [''],
  'throughline.model_output': ['text'],
  'throughline.answer': [''],
  'throughline.wait_for_input': ['reason', 'arguments'],
  'throughline.history_compacted': [''],
  'throughline.program_asked': [''],
  'throughline.program_question': [''],
  'throughline.program_answer': [''],
  'throughline.remote_state': [''],
  'throughline.remote_event': [''],
}

/** Hides personal data and free text in a story; returns it as it is if the description marks none. Pure. */
export function hideStory(story: readonly Told[], description: DescribedStory): readonly Told[] {
  const { personal } = description
  return personal ? story.map((told) => hideTold(told, description, personal)) : story
}

function hideTold(told: Told, description: DescribedStory, personal: PersonalData): Told {
  const paths = pathsIn(told.record, personal)
  const { kind } = told
  const text = kind === 'message' || kind === 'part' ? WORDS.personal[kind] : undefined
  if (paths.length === 0 && text === undefined && !told.recovered) return told
  const payload = hideAt(told.payload, paths)
  const record = { ...told.record, data: dataOf(told.record, payload) }
  return {
    ...told,
    record,
    payload,
    sentences: text === undefined ? sentencesOf(record, description) : [text],
    ...(told.whole !== undefined && { whole: HIDDEN }),
    ...(told.recovered && {
      recovered: told.recovered.map((fact) => hideFact(fact, record, description)),
    }),
  }
}

function pathsIn(record: LogRecord, { events }: PersonalData): readonly string[] {
  const name = recordName(record)
  if (name !== 'event_refused') return ownOf(events, name) ?? ownOf(TEXTS, name) ?? []
  // The detail of a refusal may quote the refused value; that of a `locked` one does not.
  const isTold = textOf(record.data, 'reason') !== 'locked'
  return isTold && ownOf(events, textOf(record.data, 'type')) ? ['detail'] : []
}

function ownOf<Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

function dataOf({ type, data }: LogRecord, payload: Json): Json {
  return type === 'CUSTOM' ? { ...membersOf(data), value: payload } : payload
}

function sentencesOf(record: LogRecord, description: DescribedStory): readonly string[] {
  return tellThread([record], description).flatMap(({ sentences }) => sentences)
}

function hideFact(
  fact: RecoveredTelling,
  record: LogRecord,
  description: DescribedStory,
): RecoveredTelling {
  const { type, payload } = fact
  const paths = ownOf(description.personal?.events ?? {}, type)
  if (!paths || payload === undefined) return fact
  const data = hideAt(payload, paths)
  const summary = sentencesOf({ ...record, type, data }, description).join(' ')
  return { ...fact, payload: data, summary }
}
