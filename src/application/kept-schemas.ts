import { joinedSchema, schemaChanges, storedSchema } from '../domain/index.ts'
import { equalJson, isJsonObject } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { EventLog, Notes } from '../log/index.ts'
import { ApplicationError } from './app-error.ts'
import type { App } from './define-app.ts'

/** The format of the note is a part of its name: another one is begun anew. */
const NOTE = 'schemas.1'

/** Times that other processes may have kept schemas between this one's reading and writing. */
const KEEP_ATTEMPTS_MAX = 5

/** The schemas of event types by their application, type and version. */
type Schemas = ReadonlyMap<string, Json>

interface Declared {
  readonly app: string
  readonly type: string
  readonly version: number
  readonly schema: Json
}

export interface KeepSchemasParts {
  readonly log: EventLog
  readonly apps: readonly App[]
  readonly onFault: (error: unknown) => void
}

/**
 * Compares the schemas of all event types with those that the store keeps, and keeps what is new.
 *
 * @throws {@link ApplicationError} `schema_changed` when data of the kept schema may not fit the one of the
 *   same version, {@link LogError} as reading does
 */
export async function keepSchemas({ log, apps, onFault }: KeepSchemasParts): Promise<void> {
  const declared = apps.flatMap(declaredIn)
  if (!log.notes || declared.length === 0) return
  for (let attempt = 1; attempt <= KEEP_ATTEMPTS_MAX; attempt++) {
    const before = await log.notes.read(NOTE)
    const kept = schemasIn(before)
    const joined = joinedWith(kept, declared)
    if (joined === kept) return
    const after = JSON.stringify(Object.fromEntries(joined))
    if (await written(log.notes, { before, after }, onFault)) return
  }
  const why = `other processes kept theirs ${KEEP_ATTEMPTS_MAX} times meanwhile`
  throw new ApplicationError('schema_changed', `Cannot keep the schemas: ${why}; open it again`)
}

/** A store that cannot be written now can still be read: its schemas are kept at another start. */
async function written(
  notes: Notes,
  change: Parameters<Notes['replace']>[1],
  onFault: KeepSchemasParts['onFault'],
): Promise<boolean> {
  try {
    return await notes.replace(NOTE, change)
  } catch (error) {
    onFault(error)
    return true
  }
}

function declaredIn({ name: app, domain }: App): readonly Declared[] {
  return [...domain.events].flatMap(([type, { schema: given, version = 1 }]) => {
    const schema = storedSchema(given)
    return schema === undefined ? [] : [{ app, type, version, schema }]
  })
}

/** Returns `kept` itself where nothing is new. */
function joinedWith(kept: Schemas, declared: readonly Declared[]): Schemas {
  const joined = new Map(kept)
  let isNew = false
  for (const each of declared) {
    const key = keyOf(each)
    const before = kept.get(key)
    const schema = before === undefined ? each.schema : joinedSchema(before, each.schema)
    if (before !== undefined) {
      const changes = schemaChanges(before, each.schema)
      if (changes.length > 0) throw schemaChanged(each, changes)
    }
    isNew ||= !equalJson(before, schema)
    joined.set(key, schema)
  }
  return isNew ? joined : kept
}

/** No name of an application has a blank. */
function keyOf({ app, type, version }: Declared): string {
  return `${app} ${version} ${type}`
}

function schemasIn(text: string | undefined): Schemas {
  // Only this file writes it.
  const stored = (text === undefined ? {} : JSON.parse(text)) as Json
  const entries = isJsonObject(stored) ? Object.entries(stored) : []
  return new Map(entries.map(([key, schema = true]) => [key, schema]))
}

function schemaChanged(
  { app, type, version }: Declared,
  changes: readonly string[],
): ApplicationError {
  const next = version + 1
  return new ApplicationError(
    'schema_changed',
    `Cannot open "${app}": the schema of its event type "${type}" is not the one that the store ` +
      `keeps for version ${version}: ${changes.join('; ')}. Give it \`version: ${next}\` and an ` +
      `upcast from version ${version}, or the schema that it had`,
  )
}
