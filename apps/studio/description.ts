import type { ComponentType } from 'react'
import type { Json, LogRecord } from 'throughline/client'
import type { AuditQuery } from './audit-query.ts'
import type { Sides } from './sides.ts'
import { tellRecords } from './story/index.ts'
import type { Tellings, Told } from './story/index.ts'
import type { Answer } from './use-answer.ts'

/** An application's description of its threads for auditors. Only `tellings` is required. */
export interface ThreadDescription {
  /** Sentences for its own event types: a thread with a record of one of them is the application's. */
  readonly tellings: Tellings
  /** Completes what records tell by what the records before them told. */
  readonly retell?: (story: readonly Told[]) => readonly Told[]
  /** The type of the event that records a reveal of what the server redacts; its data is `{ reason }`. */
  readonly revealedBy?: string
  /** Whether its application is erasable: an operator may erase the person of a thread. */
  readonly erasable?: boolean
  /** The sides that the timeline is filtered by. */
  readonly sides?: Sides
  readonly chapters?: (story: readonly Told[]) => readonly Chapter[]
  /** Why each rule acts, by its number. */
  readonly rules?: ReadonlyMap<string, string>
  /** Members of events that people know by another name. */
  readonly memberWords?: ReadonlyMap<string, string>
  readonly valueInWords?: (member: string, value: Json) => string
  /** The address of what the application knows of a whole thread; read again with what matters. */
  readonly file?: (thread: string) => string
  /** The name of the pane beside the timeline, such as `case file`. */
  readonly fileName?: string
  /** The parts of that pane, in their order. */
  readonly panes?: readonly ComponentType<PaneProps>[]
  /** The thread's title in the header. */
  readonly Title?: ComponentType<PaneProps>
  /** Shown in the details of a record between its reasons and its values. */
  readonly Details?: ComponentType<{ readonly record: LogRecord }>
}

/** The members of a description that make the story of a thread. */
export type DescribedStory = Pick<ThreadDescription, 'tellings' | 'retell'>

/** Records of one part of a thread, one after another. */
export interface Chapter {
  readonly title: string
  readonly from: number
  /** The seq of its last record. */
  readonly to: number
  /** Milliseconds from its first record to its last. */
  readonly tookMs: number
}

/** A thread as the page shows it. */
export interface PaneProps {
  readonly thread: string
  /** The latest record. */
  readonly head: number
  readonly story: readonly Told[]
  /** The application's data about the whole thread. */
  readonly file: Answer
  /** Whether the server redacts what it shows to this reader. */
  readonly personalData: 'hidden' | 'shown'
  /** The record of the reader's reveal: requests of the page's parts name it with {@link withReveal}. */
  readonly reveal: number | undefined
  readonly query: AuditQuery
  readonly onAsk: (change: Partial<AuditQuery>) => void
  readonly onSelect: (seq: number) => void
}

/** The description of the application that one of the records belongs to. */
export function descriptionOf(
  records: readonly LogRecord[],
  descriptions: readonly ThreadDescription[],
): ThreadDescription | undefined {
  return descriptions.find(({ tellings }) =>
    records.some(({ type }) => Object.hasOwn(tellings, type)),
  )
}

/** Returns the story of a thread's records, in the sentences of its description. Pure. */
export function tellThread(
  records: readonly LogRecord[],
  { tellings, retell = (story) => story }: DescribedStory,
): readonly Told[] {
  return retell(tellRecords(records, tellings))
}
