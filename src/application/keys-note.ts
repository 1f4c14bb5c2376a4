import { isJsonArray, membersOf, textOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import { LogError, mayPass } from '../log/index.ts'
import type { EventLog, Keys } from '../log/index.ts'
import type { AnyApp } from './define-app.ts'

const NOTE = 'keys'

/** What a log notes of its keys. */
interface KeysNote {
  /** Absent: nothing was noted. */
  readonly text: string | undefined
  /** Names the store of keys that seals the log. */
  readonly keys: string
  /** The applications that have ever been erasable: what they sealed has to be opened. */
  readonly apps: readonly string[]
}

async function noteOf(log: EventLog): Promise<KeysNote> {
  const text = await log.notes?.read(NOTE)
  // Only this file writes it.
  const note = (text === undefined ? {} : JSON.parse(text)) as Json
  const { apps } = membersOf(note)
  const names = isJsonArray(apps) ? apps.filter((name) => typeof name === 'string') : []
  return { text, keys: textOf(note, 'keys'), apps: names }
}

/** The names of the applications whose records may be sealed. A log without notes may hold any. */
export async function sealingApps({
  log,
  keys,
  apps,
}: {
  readonly log: EventLog
  readonly keys?: Keys | undefined
  readonly apps: readonly AnyApp[]
}): Promise<ReadonlySet<string>> {
  const erasable = apps.filter((app) => app.erasable)
  if (!keys && erasable.length === 0) return new Set()
  const sealed = log.notes ? (await noteOf(log)).apps : apps.map(({ name }) => name)
  return new Set([...sealed, ...erasable.map(({ name }) => name)])
}

export interface ClaimKeysParts {
  readonly log: EventLog
  readonly keys: Keys
  readonly apps: ReadonlySet<string>
  readonly lostKeys: 'refuse' | 'accept'
  readonly onFault: (error: unknown) => void
}

/**
 * Notes which keys seal a log, and for which applications.
 *
 * @throws {@link LogError} `configuration` where other keys have sealed it, and that is not accepted
 */
export async function claimKeys(parts: ClaimKeysParts): Promise<void> {
  const { log, keys, lostKeys, onFault } = parts
  const before = await noteOf(log)
  const isOther = before.text !== undefined && before.keys !== keys.id
  if (isOther && lostKeys === 'refuse') {
    const mend =
      "restore the store of keys from its own backup, or name it in `keys`. If it is lost for ever, open with `lostKeys: 'accept'`: then what it sealed stays unreadable"
    throw new LogError('configuration', `Cannot open the log: other keys have sealed it; ${mend}`)
  }
  const apps = [...new Set([...before.apps, ...parts.apps])].toSorted()
  const after = JSON.stringify({ keys: keys.id, apps })
  if (after === before.text) return
  try {
    await log.notes?.replace(NOTE, { before: before.text, after })
  } catch (error) {
    // A store that cannot be written now can still be read.
    if (!mayPass(error)) throw error
    onFault(error)
  }
}
