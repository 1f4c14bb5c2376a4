import type { AGUIEvent, RunAgentInput } from '@ag-ui/core'
import { ClientError, FrameReader, problemError } from '../client/index.ts'
import { StreamVerifier } from '../wire/index.ts'
import type { RemovedMembers } from '../wire/index.ts'

interface StreamRequest {
  readonly url: string
  readonly input: RunAgentInput
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: typeof fetch
  readonly signal: AbortSignal
}

/** One answer of an agent as verified events. */
export class RunStream {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  readonly #frames = new FrameReader()
  readonly #verifier: StreamVerifier

  private constructor(body: ReadableStream<Uint8Array>, verifier: StreamVerifier) {
    this.#reader = body.getReader()
    this.#verifier = verifier
  }

  /** @throws {@link ClientError} when the agent does not answer with a stream of events */
  static async open(
    { url, input, headers, fetch: send, signal }: StreamRequest,
    onRemoved?: (removed: RemovedMembers) => void,
  ): Promise<RunStream> {
    const response = await send(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
      body: JSON.stringify(input),
      cache: 'no-store',
      signal,
    })
    if (!response.ok) throw await problemError(response, 'ask the agent')
    const type = response.headers.get('content-type') ?? ''
    if (!type.toLowerCase().startsWith('text/event-stream') || response.body === null) {
      throw new ClientError('protocol', `Cannot ask the agent: it answers with "${type}"`)
    }
    const { threadId, runId } = input
    const verifier = new StreamVerifier({ threadId, runId, ...(onRemoved && { onRemoved }) })
    return new RunStream(response.body, verifier)
  }

  /**
   * Hands over the events that have come, in order, and returns whether more may come.
   *
   * @throws {@link WireError} and {@link ClientError}; the events before the fault have been handed over
   */
  async read(take: (event: AGUIEvent) => void): Promise<boolean> {
    const { done, value } = await this.#reader.read()
    if (done) {
      this.#verifier.end()
      return false
    }
    for (const frames of this.#frames.feed(value)) {
      for (const frame of frames) {
        if (frame.type !== 'frame' || frame.data === undefined) continue
        for (const event of this.#verifier.take(eventIn(frame.data))) take(event)
      }
    }
    return true
  }
}

function eventIn(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch (cause) {
    throw new ClientError('protocol', 'Cannot read an event: it is not JSON', { cause })
  }
}
