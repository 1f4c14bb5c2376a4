import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { scriptedModel } from 'throughline'
import { Gate } from '../../src/gate/index.ts'
import type { LogRecord, NewEvent } from 'throughline/log'
import type { Json } from 'throughline'
import { modelHistory } from '../../src/step/index.ts'
import { domain } from '../../apps/broker/case/given-case.fixture.ts'
import { narrators } from '../../apps/broker/narrator/index.ts'
import { GOLDEN } from '../order/golden-log.fixture.ts'
import { id, memoryLog, sha256 } from '../memory-log.fixture.ts'

const CANARY = 'Canary'
const NOTE = { role: 'note', id: 'n', seq: 0, ts: 0, status: 'complete' } as const

/** A member of a record that holds text from outside the models and reaches a prompt. */
export interface PromptField {
  /** Such as `ui TEXT_MESSAGE_CONTENT delta`. */
  readonly name: string
  /** The record with another text in that member. */
  readonly holding: (text: string) => NewEvent
}

/**
 * Finds the fields by trial: each text of each recorded log is replaced by a canary, and a field is one
 * whose canary then appears in instructions, notes or history. So the test also covers fields that
 * prompts read in the future.
 */
export async function promptFields(): Promise<readonly PromptField[]> {
  const found: PromptField[] = []
  for (const { before, field } of candidates().values()) {
    const prompts = await promptsOf([...before, field.holding(CANARY)])
    if (prompts.some((text) => text.includes(CANARY))) found.push(field)
  }
  return found
}

interface Candidate {
  readonly field: PromptField
  readonly before: readonly NewEvent[]
}

/** Each text that a record of some kind holds, by its name, with the records before its first one. */
function candidates(): ReadonlyMap<string, Candidate> {
  const files = readdirSync(GOLDEN).filter((name) => /^0\.[2-9]-.*\.jsonl$/.test(name))
  const all = files
    .map(recordsIn)
    .flatMap((records) =>
      records.flatMap((record, at) =>
        fieldsOf(record).map((field) => ({ field, before: records.slice(0, at).map(asEvent) })),
      ),
    )
  // The last one of a name counts in a map.
  return new Map(all.toReversed().map((each) => [each.field.name, each]))
}

function recordsIn(file: string): readonly LogRecord[] {
  const lines = readFileSync(join(GOLDEN, file), 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line))
}

function asEvent({ type, data, origin, v }: LogRecord): NewEvent {
  return { type, data, origin, v }
}

function fieldsOf(record: LogRecord): readonly PromptField[] {
  const { type, data, origin } = record
  const entry = domain.events.get(type)
  // A model's text is no field of a prompt's input.
  if (origin.source === 'model' && !entry) return []
  return pathsIn(data).flatMap((path) => {
    const named = path.map((step) => (typeof step === 'number' ? '[]' : step)).join('.')
    const holding = (text: string) => ({ ...asEvent(record), data: replaced(data, path, text) })
    const checked = entry?.schema['~standard'].validate(holding(CANARY).data)
    const isFree = checked === undefined || !('issues' in checked) || !checked.issues
    return isFree ? [{ name: `${origin.source} ${type} ${named}`, holding }] : []
  })
}

type Path = readonly (string | number)[]

function pathsIn(data: Json): readonly Path[] {
  if (typeof data === 'string') return [[]]
  if (Array.isArray(data))
    return data.flatMap((item, at) => pathsIn(item).map((path) => [at, ...path]))
  if (data === null || typeof data !== 'object') return []
  return Object.entries(data).flatMap(([name, value]) =>
    value === undefined ? [] : pathsIn(value).map((path) => [name, ...path]),
  )
}

function replaced(data: Json, [step, ...rest]: Path, text: string): Json {
  if (step === undefined) return text
  if (Array.isArray(data)) {
    return data.map((item: Json, at) => (at === step ? replaced(item, rest, text) : item))
  }
  const members = data as Readonly<Record<string, Json>>
  return { ...members, [step]: replaced(members[step] ?? null, rest, text) }
}

/** Everything that a model would be given on a thread, on either side. */
export async function promptsOf(events: readonly NewEvent[]): Promise<readonly string[]> {
  const log = memoryLog()
  await log.append('t', events)
  const gate = new Gate({ log, domain, sha256, now: Date.now, id })
  const { state, conversation } = await gate.snapshot('t')
  const sides = narrators({ model: scriptedModel(() => ''), domain, now: Date.now })
  const newest: LogRecord[] = []
  for await (const batch of log.read('t', { after: events.length - 2 })) newest.push(...batch)
  const notes = Object.values(sides).flatMap((side) =>
    [true, false].flatMap((bare) =>
      side.notes({
        state,
        accepted: bare ? [] : newest,
        refused: [],
        said: '',
        first: !bare,
        bare,
      }),
    ),
  )
  const noted = notes.map((text) => ({ ...NOTE, text }))
  const heard = [noted, conversation.messages, ...Object.values(conversation.nested)]
  return [
    ...Object.values(sides).map(({ instructions }) =>
      instructions({ state, thread: 't', context: {} }),
    ),
    ...heard.flatMap((messages) => modelHistory(messages)).map(({ text }) => text),
  ]
}
