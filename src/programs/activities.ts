import type { ActivityDeltaEvent, ActivitySnapshotEvent } from '@ag-ui/core'
import { PatchError, applyPatch, isJsonObject, membersOf, textOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { Calls } from './calls.ts'
import { REMOTE_VALUE_CHARS_MAX } from './limits.ts'
import { requireId } from './ids.ts'
import type { Owner, StreamParts } from './items.ts'
import { isRecordable } from './recordable.ts'

/** The output of a tool, as the engine writes it. */
const TOOL_OUTPUT = 'throughline.tool_output'

interface Activity {
  readonly id: string
  readonly type: string
  readonly owner: Owner
  content: Json
}

/** The activities of a program's stream. Each state of one is on record whole: a reader may join at any. */
export class Activities {
  readonly #parts: StreamParts
  readonly #calls: Calls
  readonly #activities = new Map<string, Activity>()

  constructor(parts: StreamParts, calls: Calls) {
    this.#parts = parts
    this.#calls = calls
  }

  show({ messageId, activityType, content, replace }: ActivitySnapshotEvent, owner: Owner): void {
    const before = this.#activities.get(messageId)
    if (before && replace === false) return
    // The schema has read it: an object of JSON.
    const shown = this.#ours(activityType, content as Json)
    if (!shown) return this.#parts.warn('stray_event')
    const id = before?.id ?? this.#parts.ids.fresh(messageId)
    const of = before?.owner.isOpen ? before.owner : owner
    this.#put({ id, type: requireId(activityType), owner: of, content: shown }, messageId)
  }

  change({ messageId, patch }: ActivityDeltaEvent): void {
    const before = this.#activities.get(messageId)
    if (!before?.owner.isOpen) return this.#parts.warn('stray_event')
    try {
      const content = applyPatch(before.content, patch as unknown as Json, REMOTE_VALUE_CHARS_MAX)
      if (isJsonObject(content)) this.#put({ ...before, content }, messageId)
    } catch (error) {
      if (!(error instanceof PatchError)) throw error
      this.#parts.warn('stray_event')
    }
  }

  #put(activity: Activity, name: string): void {
    const { id: messageId, type: activityType, content, owner } = activity
    if (!isRecordable(content)) return this.#parts.warn('value_too_large')
    this.#activities.set(name, activity)
    this.#parts.items.record('ACTIVITY_SNAPSHOT', { messageId, activityType, content }, owner)
  }

  /** An output of a tool names its call, which has another id here. */
  #ours(type: string, content: Json): Json | undefined {
    if (type.toLowerCase() !== TOOL_OUTPUT) {
      return type.toLowerCase().startsWith('throughline.') ? undefined : content
    }
    const call = this.#calls.placeOf(textOf(content, 'toolCallId'))
    return call && { ...membersOf(content), toolCallId: call.id }
  }
}
