import { membersOf } from 'throughline/client'
import type { Json, LogRecord } from 'throughline/client'
import { RecordLink } from './record-link.tsx'
import { WORDS } from './words.ts'

/** The records of a thread, and how to go to one. */
export interface Records {
  readonly all: readonly LogRecord[]
  readonly onSelect: (seq: number) => void
}

export interface FoundRecordProps {
  readonly records: Records
  readonly type: string
  readonly members: Readonly<Record<string, Json>>
}

/** A link to the latest record of a type whose data has these members. */
export function FoundRecord({ records, type, members }: FoundRecordProps) {
  const wanted = Object.entries(members)
  const record = records.all.findLast(
    (each) =>
      each.type === type && wanted.every(([name, value]) => membersOf(each.data)[name] === value),
  )
  // A case that was brought back from its seed has facts whose records are gone.
  if (!record) return WORDS.file.none
  return <RecordLink seq={record.seq} onSelect={records.onSelect} />
}
