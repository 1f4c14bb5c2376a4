import { PROTOCOL_VERSION } from '@ag-ui/core'
import type { ContentPart, Message, RunAgentInput, UserMessage } from '@ag-ui/core'
import type { Context } from 'hono'
import { createHash } from 'node:crypto'
import type {
  ClientMessage,
  ClientResult,
  InterruptAnswer,
  PageRequest,
  SystemMessage,
} from '../../agents/index.ts'
import type { FileSource, InputFile } from '../../activity/index.ts'
import { contentText } from '../../faces/index.ts'
import type { AguiProtocol } from '../../faces/index.ts'
import type { Json } from '../../json/index.ts'
import { BODY_VALUES_MAX, isJsonObject } from '../../json/index.ts'
import { WireError, enforceInput } from '../../wire/index.ts'
import { ProblemError } from '../problems/problem.ts'
import { readJson } from './request-body.ts'
import type { BodyLimits } from './request-body.ts'

/** The largest request for a run, in bytes: it holds the whole conversation. */
export const RUN_INPUT_BYTES_MAX = 8_388_608
export const RUN_INPUT_DEPTH_MAX = 128

export const RUN_INPUT_LIMITS: BodyLimits = {
  bytesMax: RUN_INPUT_BYTES_MAX,
  depthMax: RUN_INPUT_DEPTH_MAX,
  valuesMax: BODY_VALUES_MAX,
}

export interface RunInput {
  readonly input: RunAgentInput
  /** Members that the protocol does not describe, as JSON pointers. */
  readonly removed: readonly string[]
  readonly protocol: AguiProtocol
}

export async function readRunInput(context: Context): Promise<RunInput> {
  const given = await readJson(context, RUN_INPUT_LIMITS)
  try {
    const { input, removed } = enforceInput(given)
    return { input, removed, protocol: protocolOf(input) }
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    throw new ProblemError('invalid_body', 400, { detail: error.message })
  }
}

const [MAJOR] = PROTOCOL_VERSION.split('.')

/** A newer minor version of our own major one is served as ours. */
function protocolOf({ protocolVersion }: RunAgentInput): AguiProtocol {
  if (protocolVersion === undefined) return 'before-1.0'
  if (/^\d+\.\d+/.test(protocolVersion) && protocolVersion.split('.')[0] === MAJOR) {
    return PROTOCOL_VERSION
  }
  const version = JSON.stringify(protocolVersion.slice(0, 40))
  const detail = `Cannot speak AG-UI ${version}: this server speaks ${PROTOCOL_VERSION}`
  throw new ProblemError('unsupported_protocol', 400, { detail })
}

export function userMessages({ messages }: RunAgentInput): readonly ClientMessage[] {
  const written = messages.filter((message) => message.role === 'user')
  return written.map(({ id, content }) => {
    const files = filesOf(content)
    return { id, text: contentText(content), ...(files.length > 0 && { files }) }
  })
}

/** The engine checks their sources. */
function filesOf(content: UserMessage['content']): readonly InputFile[] {
  if (typeof content === 'string') return []
  return content.flatMap((part) => (part.type === 'text' ? [] : [fileOf(part)]))
}

function fileOf({ type, source }: Exclude<ContentPart, { readonly type: 'text' }>): InputFile {
  const { value, mimeType } = source as FileSource
  const given = { type: source.type, value, ...(mimeType !== undefined && { mimeType }) }
  return { type, source: given as FileSource }
}

/**
 * Requires that the results which enter the log, named by their ids, hold text alone.
 *
 * @throws {@link ProblemError} `unsupported_content`
 */
export function requireText(messages: readonly Message[], entering: ReadonlySet<string>): void {
  for (const { id, role, content } of messages) {
    const isTaken = role === 'tool' && entering.has(id)
    if (!isTaken || typeof content === 'string') continue
    const part = content.find(({ type }) => type !== 'text')
    if (!part) continue
    const why = `it has a part of the type "${part.type}", and the result of a tool is text`
    const detail = `Cannot take the message "${id}": ${why}; take the part out and describe it in words`
    throw new ProblemError('unsupported_content', 400, { detail })
  }
}

/** Returns the results of the client's own tools, for calls that the thread may wait for. */
export function toolResults({ messages }: RunAgentInput): readonly ClientResult[] {
  const results = messages.filter((message) => message.role === 'tool')
  return results.map(({ id, toolCallId, content, error }) => ({
    toolCallId,
    content: contentText(content),
    messageId: id,
    ...(error === undefined ? {} : { error }),
  }))
}

export function interruptAnswers({ resume = [] }: RunAgentInput): readonly InterruptAnswer[] {
  return resume.map(({ interruptId, status, payload }) => ({
    interruptId,
    status,
    // A strict parser has read it: it is JSON.
    ...(payload === undefined ? {} : { payload: payload as Json }),
  }))
}

/** The parts of a request that an agent on another server may be sent as they are. */
export function pageParts({ state, forwardedProps, messages }: RunAgentInput): PageRequest {
  const systemMessages = messages.flatMap((message): readonly SystemMessage[] => {
    const { id, role, content } = message
    return role === 'system' || role === 'developer' ? [{ id, role, content }] : []
  })
  return {
    // A strict parser has read them: they are JSON.
    ...(state !== undefined && { state: state as Json }),
    ...(forwardedProps !== undefined && { forwardedProps: forwardedProps as Json }),
    systemMessages,
  }
}

/** Names the messages of a request, as the record of the run that it begins does. */
export function historyDigest({ messages }: RunAgentInput): string {
  return createHash('sha256').update(JSON.stringify(messages)).digest('hex')
}

export function directEvents({ forwardedProps }: RunAgentInput): unknown {
  const props = forwardedProps as Json | undefined
  return isJsonObject(props) ? props['directEvents'] : undefined
}

const BYTES_AS_ONE_REQUEST = 65_536

/** How many usual requests one body counts as: one that does not tell its length, as the largest. */
export function inputSize({ req }: Context): number {
  const bytes = Number(req.header('content-length') ?? RUN_INPUT_BYTES_MAX)
  return Math.max(1, Math.ceil(Math.min(bytes, RUN_INPUT_BYTES_MAX) / BYTES_AS_ONE_REQUEST))
}
