import type { AGUIEvent, PROTOCOL_VERSION } from '@ag-ui/core'
import { filesIn } from '../../activity/index.ts'
import type { AgentEventPayload, AgentEventType, AguiMessages } from '../../activity/index.ts'
import { membersOf, textOf } from '../../json/index.ts'
import type { Json } from '../../json/index.ts'
import type { LogRecord } from '../../log/index.ts'

/** An AG-UI event as a face sends it. */
export type WireEvent = {
  /** One of AG-UI's types. */
  readonly type: string
  /** The time of the record, in milliseconds since the epoch. */
  readonly timestamp?: number
} & { readonly [member: string]: Json | undefined }

/** The version of AG-UI that a client speaks. Clients from before 1.0 name none. */
export type AguiProtocol = typeof PROTOCOL_VERSION | 'before-1.0'

/** Makes an event of its own members. */
export function wireEvent<Type extends AgentEventType>(
  type: Type,
  payload: AgentEventPayload<Type> & { readonly metadata?: Json },
  timestamp: number | undefined,
): WireEvent {
  // AG-UI payloads are JSON by definition; their types are interfaces without an index signature.
  const members = payload as unknown as Readonly<Record<string, Json>>
  return { type, ...members, ...(timestamp === undefined ? {} : { timestamp }) }
}

/** The event that a record of agent activity holds, with the time of the record. */
export function storedEvent(type: AgentEventType, { data, ts }: LogRecord): WireEvent {
  return { ...membersOf(data), type, timestamp: ts }
}

/** A `CUSTOM` event of ours; docs/agui.md names them. */
export function customWireEvent(
  name: 'event' | 'event_refused' | 'handoff' | 'history_truncated',
  value: Json,
  timestamp: number | undefined,
): WireEvent {
  return wireEvent('CUSTOM', { name: `throughline.${name}`, value }, timestamp)
}

/** Folds an event into messages. Files of a person become content, and are left out of the metadata. */
export function applyTo(messages: AguiMessages, event: WireEvent): void {
  const files = filesIn(event)
  const areContent = files.length > 0 && messages.attach(textOf(event, 'messageId'), files)
  const shown = areContent ? { ...event, metadata: undefined } : event
  // It is an event of AG-UI, as far as the record holds what AG-UI asks for.
  messages.take(shown as unknown as AGUIEvent)
}
