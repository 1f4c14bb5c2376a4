import type { AppendPart, CommitReply, CommitRequest } from './commit-messages.ts'

/**
 * Messages as they cross threads: flat text. Cloning the objects would cost a small append more than
 * all the rest of it does, and so would escaping texts that are JSON already.
 */
export interface RequestsOnTheWire {
  /** The requests as JSON, each text in them replaced by its length. */
  readonly frames: string
  readonly texts: string
}

type Frame =
  | Exclude<CommitRequest, AppendPart>
  | (Omit<AppendPart, 'texts'> & { readonly chars: readonly number[] })

export function encodeRequests(requests: readonly CommitRequest[]): RequestsOnTheWire {
  let joined = ''
  const frames = requests.map((request): Frame => {
    if (request.kind !== 'part') return request
    const { texts, ...frame } = request
    joined += texts.join('')
    return { ...frame, chars: texts.map(({ length }) => length) }
  })
  return { frames: JSON.stringify(frames), texts: joined }
}

export function decodeRequests({ frames, texts }: RequestsOnTheWire): readonly CommitRequest[] {
  let at = 0
  // Written by `encodeRequests`.
  return (JSON.parse(frames) as readonly Frame[]).map((frame): CommitRequest => {
    if (frame.kind !== 'part') return frame
    const { chars, ...part } = frame
    return { ...part, texts: chars.map((length) => texts.slice(at, (at += length))) }
  })
}

export function encodeReply(reply: CommitReply): string {
  return JSON.stringify(reply)
}

export function decodeReply(text: string): CommitReply {
  // Written by `encodeReply`.
  return JSON.parse(text) as CommitReply
}
