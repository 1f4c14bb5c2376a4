import { FILE_TYPES, mediaTypeOf } from '../../activity/index.ts'
import type { FileSource, InputFile, InputPart } from '../../activity/index.ts'
import { kindOf, quotedNames, unknownMember } from '../../json/index.ts'
import type { KnownMembers } from '../../json/index.ts'
import { readsFile } from '../../step/index.ts'
import { AgentError } from '../define/agent-error.ts'
import type { Agent } from '../define/agent.ts'
import type { ClientMessage } from './client-request.ts'

/** Files of one message. */
export const INPUT_FILES_MAX = 16
/** Characters of the base64 and addresses of all files of one message: one record holds them, sealed too. */
export const INPUT_FILES_CHARS_MAX = 750_000

/** What a person says in parts; each text is a paragraph. */
export function saidIn(input: string | readonly InputPart[]) {
  if (typeof input === 'string') return { text: input, files: [] }
  const texts = input.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const files = input.flatMap((part) => (part.type === 'text' ? [] : [part]))
  return { text: texts.join('\n\n'), files }
}

/** Whether a person wrote a message. */
export function saysText({ input = '', messages = [] }: Words): boolean {
  return [saidIn(input), ...messages].some(({ text }) => text.trim() !== '')
}

/** Of a turn. */
interface Words {
  readonly input?: string | readonly InputPart[]
  readonly messages?: readonly ClientMessage[]
}

type Taker = Pick<Agent, 'name' | 'files' | 'program'>

/**
 * Requires that an agent can be given what a person says.
 *
 * @throws {@link AgentError} `invalid_request` for what is no text or file, or too much; `unsupported_content`
 *   for a file that the agent does not read
 */
export function requireSaid(
  agent: Taker,
  { input, messages = [] }: { readonly input?: unknown; readonly messages?: readonly Given[] },
): void {
  requireInput(agent, input)
  for (const { files } of messages) requireFiles(agent, files)
}

type Given = Pick<ClientMessage, 'files'>

function requireInput(agent: Taker, input: unknown): void {
  if (typeof input === 'string' || input === undefined) return
  if (!Array.isArray(input)) {
    throw unfit('what a person says', `it is ${kindOf(input)}; give a text, or a list of parts`)
  }
  for (const part of input as readonly unknown[]) requirePart(part)
  requireFiles(agent, saidIn(input as readonly InputPart[]).files)
}

const TEXT_PARTS: KnownMembers<Extract<InputPart, { type: 'text' }>> = { type: true, text: true }
const FILE_PARTS: KnownMembers<InputFile> = { type: true, source: true }
const SOURCE_PARTS: KnownMembers<FileSource> = { type: true, value: true, mimeType: true }

function requirePart(part: unknown): void {
  const why = whyNoPart(part)
  if (why !== undefined) throw unfit('a part of what a person says', why)
}

function whyNoPart(part: unknown): string | undefined {
  const { type, text } = membersIn(part)
  if (type === 'text') {
    return typeof text === 'string' ? unknownMember(part, TEXT_PARTS) : 'its `text` is no text'
  }
  if (FILE_TYPES.some((each) => each === type)) return undefined
  return `its type is none of ${quotedNames(['text', ...FILE_TYPES])}`
}

function requireFiles(agent: Taker, files: readonly InputFile[] = []): void {
  if (files.length > INPUT_FILES_MAX) {
    throw unfit(`${files.length} files`, `a message has at most ${INPUT_FILES_MAX}`)
  }
  for (const file of files) requireFile(file)
  requireChars(files.reduce((sum, { source }) => sum + source.value.length, 0))
  for (const file of files) requireReader(agent, file)
}

function requireChars(chars: number): void {
  if (chars <= INPUT_FILES_CHARS_MAX) return
  const why = `they have ${chars} characters of base64 and addresses, at most ${INPUT_FILES_CHARS_MAX} are taken`
  throw unfit('the files of a message', `${why}; make them smaller, or give their addresses`)
}

function membersIn(given: unknown): Readonly<Record<string, unknown>> {
  return kindOf(given) === 'an object' ? { ...(given as object) } : {}
}

const BASE64 = /^(?:[\w+/-]{4})*(?:[\w+/-]{2}(?:==)?|[\w+/-]{3}=?)?$/
const MEDIA_TYPE = /^[a-z]+\/[\w.+-]{1,100}$/

function requireFile(file: InputFile): void {
  const { type, source } = file
  // A program without types may give anything.
  const given: unknown = source
  const { type: from, value, mimeType } = membersIn(given)
  const what = `a file of the type "${type}"`
  const unknown = unknownMember(file, FILE_PARTS) ?? unknownMember(given, SOURCE_PARTS)
  if (unknown !== undefined) throw unfit(what, unknown)
  if (typeof value !== 'string' || value === '') throw unfit(what, 'its source has no `value`')
  // The expressions below take no text of any length.
  requireChars(value.length)
  if (mimeType !== undefined && !(typeof mimeType === 'string' && MEDIA_TYPE.test(mimeType))) {
    throw unfit(what, 'its source has a `mimeType` that is none, such as "image/png"')
  }
  const why = from === 'data' ? whyNoBytes(value, mimeType) : whyNoAddress(value, from)
  if (why !== undefined) throw unfit(what, why)
}

function whyNoBytes(value: string, mimeType: unknown): string | undefined {
  if (mimeType === undefined) return 'its source says no `mimeType`'
  if (BASE64.test(value)) return undefined
  return value.startsWith('data:')
    ? 'the `value` of its source is a data URL; give the base64 behind its comma alone'
    : 'the `value` of its source is not base64'
}

function whyNoAddress(value: string, from: unknown): string | undefined {
  if (from !== 'url') return 'its source is neither of the type "data" nor "url"; give one of them'
  // Any other would have the provider read what is not on the public net.
  if (/^https?:$/.test(URL.parse(value)?.protocol ?? '')) return undefined
  return 'the `value` of its source is no address that begins with https:// or http://'
}

function requireReader({ name, files, program }: Taker, file: InputFile): void {
  if (files && readsFile(files, file)) return
  const type = mediaTypeOf(file)
  const why = program
    ? 'a program answers for it, which is given text alone'
    : files
      ? `it reads ${quotedNames(files)}`
      : 'it reads text alone; name what its model reads in `files`, such as ["image/*"]'
  throw new AgentError(
    'unsupported_content',
    `Cannot give a file of the type "${type}" to "${name}": ${why}`,
  )
}

function unfit(what: string, why: string): AgentError {
  return new AgentError('invalid_request', `Cannot take ${what}: ${why}`)
}
