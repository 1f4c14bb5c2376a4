import { streamRefused } from './program-error.ts'
import { REMOTE_ID_CHARS_MAX } from './limits.ts'
import { isObjectMember } from '../domain/index.ts'

const PREFIX = /^r[0-9a-f]{16}_/

/** The program's own id, from one of ours. Ids that no program gave stay as they are. */
export function programsId(id: string): string {
  return id.replace(PREFIX, '')
}

/** Gives a program's items ids that the thread has never had. */
export class Ids {
  readonly #prefix: string
  readonly #takenIds: (() => ReadonlySet<string>) | undefined
  #taken: ReadonlySet<string> | undefined
  readonly #used = new Set<string>()
  #count = 0

  /**
   * `stream` is an id that is never used again. With the ids that the thread holds, the program's own messages
   * and calls keep theirs where these are free.
   */
  constructor(stream: string, takenIds?: () => ReadonlySet<string>) {
    this.#prefix = `r${stream.replaceAll('-', '').slice(0, 16)}_`
    this.#takenIds = takenIds
  }

  /** The id of a message or a call of the program itself. */
  own(wanted: string): string {
    const isFree =
      this.#takenIds !== undefined &&
      wanted !== '' &&
      // It would be taken for one of ours, and lose its beginning on the way back.
      !PREFIX.test(wanted) &&
      !isObjectMember(wanted) &&
      !this.#used.has(wanted) &&
      !(this.#taken ??= this.#takenIds()).has(wanted)
    if (!isFree) return this.fresh(wanted)
    this.#used.add(requireId(wanted))
    return wanted
  }

  /** An id that was not given before, whatever the program uses again. */
  fresh(wanted: string): string {
    requireId(wanted)
    let id = `${this.#prefix}${wanted}`
    while (this.#used.has(id)) id = `${this.#prefix}${wanted}~${++this.#count}`
    this.#used.add(id)
    return id
  }
}

export function requireId(id: string): string {
  if (id.length <= REMOTE_ID_CHARS_MAX) return id
  const why = `an id or a name has ${id.length} characters, at most ${REMOTE_ID_CHARS_MAX} are allowed`
  throw streamRefused('too_large', why)
}
