import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Context } from 'hono'
import { isUtf8 } from 'node:buffer'
import { z } from 'zod'
import { explainIssues } from '../../domain/index.ts'
import { ProblemError } from '../problems/problem.ts'
import { mediaType } from '../access/request-guard.ts'
import {
  BODY_DEPTH_MAX,
  BODY_VALUES_MAX,
  parseStrictJson,
  thrownMessage,
} from '../../json/index.ts'
import type { JsonLimits } from '../../json/index.ts'

/** An event's id as a request may choose it: version 8 is for ids that the server works out itself. */
export const proposedId = z
  .guid()
  .toLowerCase()
  .refine((id) => id[14] !== '8', 'must not be a UUID of version 8')

/** An event that a request proposes. */
export const proposedEvent = z.strictObject({
  id: proposedId.exactOptional(),
  type: z.string().min(1).max(128),
  data: z.unknown(),
})

/** The largest request body, in bytes. */
export const BODY_BYTES_MAX = 262_144

/**
 * Reads a request's JSON body and parses it with a schema.
 *
 * @throws {@link ProblemError} `unsupported_media_type`, `body_too_large`, `invalid_json`, `invalid_body`
 */
export async function readBody<Schema extends StandardSchemaV1>(
  context: Context,
  schema: Schema,
  bytesMax = BODY_BYTES_MAX,
): Promise<StandardSchemaV1.InferOutput<Schema>> {
  return parsedWith(schema, await readJson(context, { ...BODY_LIMITS, bytesMax }))
}

async function parsedWith<Schema extends StandardSchemaV1>(
  schema: Schema,
  value: unknown,
): Promise<StandardSchemaV1.InferOutput<Schema>> {
  const result = await schema['~standard'].validate(value)
  if (!result.issues) return result.value
  const detail = `Cannot read the body: ${explainIssues(result.issues)}`
  throw new ProblemError('invalid_body', 400, { detail })
}

/**
 * Reads the body of a request that need not have one; undefined without one, whatever its headers say of it. A
 * request that ends within its body does nothing.
 *
 * @throws {@link ProblemError} as {@link readBody}
 */
export async function readOptionalBody<Schema extends StandardSchemaV1>(
  context: Context,
  schema: Schema,
): Promise<StandardSchemaV1.InferOutput<Schema> | undefined> {
  const bytes = await readBytes(context, BODY_LIMITS)
  if (bytes.length === 0) return undefined
  requireJsonType(context)
  return parsedWith(schema, parse(bytes, BODY_LIMITS))
}

export async function readJson(context: Context, limits: BodyLimits): Promise<unknown> {
  requireJsonType(context)
  return parse(await readBytes(context, limits), limits)
}

export interface BodyLimits extends JsonLimits {
  readonly bytesMax: number
}

const BODY_LIMITS: BodyLimits = {
  bytesMax: BODY_BYTES_MAX,
  depthMax: BODY_DEPTH_MAX,
  valuesMax: BODY_VALUES_MAX,
}

/** Reads when it is first asked to, and never again: a body comes once. */
export function once<Read>(read: () => Promise<Read>): () => Promise<Read> {
  let reading: Promise<Read> | undefined
  return () => (reading ??= read())
}

function requireJsonType(context: Context): void {
  const coding = context.req.header('content-encoding') ?? 'identity'
  if (mediaType(context) !== 'application/json' || coding.toLowerCase() !== 'identity') {
    const detail = 'Cannot read the body: send it as "application/json", not compressed'
    throw new ProblemError('unsupported_media_type', 415, { detail })
  }
}

async function readBytes(context: Context, { bytesMax }: BodyLimits): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of await chunksOf(context, bytesMax)) {
      length += chunk.byteLength
      if (length > bytesMax) throw tooLarge(bytesMax)
      chunks.push(chunk)
    }
  } catch (cause) {
    if (cause instanceof ProblemError) throw cause
    const detail = isSpent(cause)
      ? 'Cannot read the body: something has read it before; mount the routes in front of body parsers'
      : // The sender is gone, which is no fault of this program.
        'Cannot read the body: the connection ended before it did'
    throw new ProblemError('invalid_json', 400, { detail, options: { cause } })
  }
  return Buffer.concat(chunks)
}

/** The platform has no code for it. */
function isSpent(cause: unknown): boolean {
  return cause instanceof TypeError && cause.message.startsWith('Body is unusable')
}

function tooLarge(bytesMax: number): ProblemError {
  const detail = `Cannot read the body: it is larger than ${bytesMax} bytes`
  return new ProblemError('body_too_large', 413, { detail })
}

/** A body of a known length is read at once: a stream of it costs more than all else that reads it. */
async function chunksOf(
  { req: request }: Context,
  bytesMax: number,
): Promise<Iterable<Uint8Array> | AsyncIterable<Uint8Array>> {
  const declared = request.header('content-length')
  if (Number(declared) > bytesMax) throw tooLarge(bytesMax)
  const isSmall = declared !== undefined && Number(declared) <= bytesMax
  // Hono caches a body that middleware has read.
  const isWhole = isSmall || request.raw.bodyUsed
  if (isWhole) return [new Uint8Array(await request.arrayBuffer())]
  // Who stops reading must not cancel the body: that would reset the connection before the answer.
  return request.raw.body?.values({ preventCancel: true }) ?? []
}

function decode(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  const detail = 'Cannot read the body: it is not UTF-8'
  throw new ProblemError('invalid_json', 400, { detail })
}

function parse(bytes: Buffer, limits: BodyLimits): unknown {
  const text = decode(bytes)
  try {
    return parseStrictJson(text, limits)
  } catch (error) {
    const detail = `Cannot read the body: ${thrownMessage(error)}`
    throw new ProblemError('invalid_json', 400, { detail })
  }
}
