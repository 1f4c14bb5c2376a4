import { posix } from 'node:path'
import { textOf } from 'throughline'
import type { Json } from 'throughline'
import type { ToolResult } from 'throughline/server/extend'
import type { Payload } from '../events/index.ts'

/** The folder that holds the artifacts, in the team's folder. */
export const MEMORY_FOLDER = 'memory'

const META = /<meta\b[^>]{0,2000}>/gi
const META_HEAD_CHARS_MAX = 20_000

export interface WriteCall {
  readonly input: Json
  readonly output: string
  /** What the program says that the call did. */
  readonly fileChange?: ToolResult['fileChange'] | undefined
}

/** The artifact that a confirmed write made, or undefined for a file outside the memory folder. */
export function artifactWritten(
  { input, output, fileChange }: WriteCall,
  { folder, known }: { readonly folder: string; readonly known: ReadonlySet<string> },
): Payload<'artifact_written'> | undefined {
  const filename = filenameIn(folder, textOf(input, 'file_path'))
  if (filename === undefined) return undefined
  const content = textOf(input, 'content')
  return {
    filename,
    path: posix.join(folder, MEMORY_FOLDER, filename),
    isNew: fileChange ? fileChange === 'create' : (isNewByWords(output) ?? !known.has(filename)),
    sizeBytes: new TextEncoder().encode(content).length,
    meta: metaOf(content),
  }
}

/** The name of a file relative to the memory folder; undefined for one outside of it. */
function filenameIn(folder: string, path: string): string | undefined {
  if (path === '' || path.includes('\0')) return undefined
  const memory = posix.join(folder, MEMORY_FOLDER)
  const name = posix.relative(memory, posix.resolve(folder, path))
  return name === '' || name === '..' || name.startsWith('../') ? undefined : name
}

/** Returns whether the words of a program that gives no data report a new file; undefined if they do not tell. */
function isNewByWords(output: string): boolean | undefined {
  if (output.startsWith('File created')) return true
  return output.includes('has been updated') ? false : undefined
}

function metaOf(content: string): Payload<'artifact_written'>['meta'] {
  const found: { description?: string; category?: string; chapter?: string } = {}
  for (const [tag] of content.slice(0, META_HEAD_CHARS_MAX).matchAll(META)) {
    const name = attributeOf(tag, 'name')
    const value = attributeOf(tag, 'content')
    if (value === undefined) continue
    if (name === 'artifact-description') found.description = value
    else if (name === 'artifact-category') found.category = value
    else if (name === 'artifact-chapter') found.chapter = value
  }
  return Object.keys(found).length > 0 ? found : null
}

function attributeOf(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(tag)
  return value?.[1] ?? value?.[2]
}
