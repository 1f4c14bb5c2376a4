import { isJsonArray, isJsonObject, membersOf } from '../json/index.ts'
import type { Json, JsonObject } from '../json/index.ts'
import { ourMetadata } from './agent-event.ts'

/** Where a file comes from: its bytes as base64, or an address that the model's provider reads. */
export type FileSource =
  | { readonly type: 'data'; readonly value: string; readonly mimeType: string }
  | { readonly type: 'url'; readonly value: string; readonly mimeType?: string }

export const FILE_TYPES = ['image', 'audio', 'video', 'document'] as const

/** A file in a person's message, in the form of AG-UI's content parts. */
export type InputFile = {
  readonly type: (typeof FILE_TYPES)[number]
  readonly source: FileSource
}

/** A part of what a person says: text, or a file. */
export type InputPart = { readonly type: 'text'; readonly text: string } | InputFile

/** The files of a person's message, from the data of its `TEXT_MESSAGE_CONTENT`. */
export function filesIn(data: Json): readonly InputFile[] {
  // Most messages have none, and this runs for each.
  if ((data as JsonObject | null)?.['metadata'] === undefined) return NONE
  const { files = null } = ourMetadata(data)
  // They were checked before they were appended; a program may have written others.
  return isJsonArray(files) ? files.filter(isFile) : NONE
}

const NONE: readonly InputFile[] = []

function isFile(file: Json): file is InputFile {
  if (!isJsonObject(file)) return false
  const { type, source } = file
  const { type: from, value, mimeType } = membersOf(source ?? null)
  return (
    FILE_TYPES.some((each) => each === type) &&
    (from === 'url' || (from === 'data' && typeof mimeType === 'string')) &&
    typeof value === 'string' &&
    (mimeType === undefined || typeof mimeType === 'string')
  )
}

/** What a file is, such as `image/png`; `image` where only its kind is known. */
export function mediaTypeOf({ type, source }: InputFile): string {
  return source.mimeType ?? type
}
