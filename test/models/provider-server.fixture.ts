import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'

/** A piece of a model's answer, in no provider's words. An `input` that is a text goes out as it is. */
export type Part =
  | { readonly say: string }
  | { readonly think: string }
  | { readonly call: string; readonly input: unknown }

export interface Answer {
  readonly parts: readonly Part[]
  /**
   * The end of the stream after its last part, which is then left open. Of silence nothing is sent; a
   * drip goes on without saying anything.
   */
  readonly breaks?: 'overloaded' | 'cut' | 'early end' | 'hang' | 'drip' | 'silence'
  /** Why the provider says that the answer ended. */
  readonly ends?: 'refusal'
}

/** A status instead of an answer, with the header that asks for patience, or all that the service says. */
export type Refusal =
  | { readonly status: number; readonly retryAfter: string }
  | { readonly status: number; readonly body: unknown }

/** An answer, a text alone, or the status of a refusal. */
export type Reply = Answer | Refusal | string | number

/** A request, as far as a script needs to know it. */
export interface Asked<Body> {
  readonly system: string
  /** The results of tools that the request ends with, in its order. */
  readonly results: readonly string[]
  readonly headers: IncomingHttpHeaders
  readonly body: Body
}

export type Script<Body = unknown> = (asked: Asked<Body>) => Reply | Promise<Reply>

/** One provider's wire format. It refuses what the real service refuses. */
export interface Wire<Body> {
  readonly contentType: string
  /** Why the real service would not take a request. */
  faultOf(body: Body): string | undefined
  systemOf(body: Body): string
  resultsOf(body: Body): readonly string[]
  /** The frames of an answer; of one that breaks, those up to where it breaks. */
  framesOf(body: Body, answer: Answer): Iterable<string>
  /** What a service that is overloaded sends in the middle of a stream. */
  overloaded(): string
  refusal(status: number, message: string): unknown
}

export interface ModelServer<Body = unknown> {
  readonly url: string
  readonly asked: readonly Asked<Body>[]
  /** Resolves once a client has hung up before its answer had ended. */
  readonly abandoned: Promise<void>
  close(): void
}

/** What a call costs by a provider that counts all there is to count. */
export const WHOLE_USAGE = {
  inputTokens: 100,
  outputTokens: 20,
  totalTokens: 120,
  cachedInputTokens: 60,
  reasoningTokens: 5,
}

/** Answers each agent, told apart by its instructions, with what the script holds for it, in order. */
export function script(lines: Readonly<Record<string, readonly Reply[]>>): Script {
  const left = new Map(Object.entries(lines).map(([system, replies]) => [system, [...replies]]))
  return ({ system }) => {
    // The tag protocol follows the instructions of an agent that emits.
    const [instructions = ''] = system.split('\n\n')
    const reply = left.get(instructions)?.shift()
    if (reply === undefined) throw new Error(`Cannot answer "${system}": its script has ended`)
    return reply
  }
}

/**
 * A server on loopback that speaks a provider's format. A request that the real service would refuse is
 * refused, and fails the test once it has finished.
 */
export async function modelServer<Body>(
  wire: Wire<Body>,
  reply: Script<Body>,
): Promise<ModelServer<Body>> {
  const asked: Asked<Body>[] = []
  const faults: string[] = []
  const abandoned = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    response.on('close', () => {
      if (!response.writableFinished) abandoned.resolve()
    })
    void new Exchange(wire, { reply, asked, faults }).answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = (): void => {
    server.close()
    server.closeAllConnections()
  }
  onTestFinished(() => {
    close()
    expect(faults).toEqual([])
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, asked, abandoned: abandoned.promise, close }
}

/** JSON never escapes half of a character that is whole. */
const HALF_CHARACTER = /\\ud[89a-f][\da-f]{2}/i

/** A line that every reader of a stream skips. */
const KEEP_ALIVE = ': \n\n'
const DRIP_MS = 20

/** A text as a model streams it: short pieces, of a very long one long pieces. */
export function* pieces(text: string): Generator<string> {
  const size = Math.max(7, Math.ceil(text.length / PIECES_MAX))
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}

const PIECES_MAX = 2_000

export function dataFrame(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

interface Desk<Body> {
  readonly reply: Script<Body>
  readonly asked: Asked<Body>[]
  readonly faults: string[]
}

class Exchange<Body> {
  readonly #wire: Wire<Body>
  readonly #desk: Desk<Body>

  constructor(wire: Wire<Body>, desk: Desk<Body>) {
    this.#wire = wire
    this.#desk = desk
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const text = await textOf(request)
      const body = JSON.parse(text) as Body
      const asked = {
        system: this.#wire.systemOf(body),
        results: this.#wire.resultsOf(body),
        headers: request.headers,
        body,
      }
      this.#desk.asked.push(asked)
      const half = HALF_CHARACTER.test(text) ? 'The request holds half a character' : undefined
      const fault = half ?? this.#wire.faultOf(body)
      if (fault !== undefined) throw new Error(fault)
      const said = await this.#desk.reply(asked)
      if (typeof said === 'number') this.#refuse(response, said, `status ${said}`)
      else if (typeof said === 'object' && 'status' in said) this.#decline(response, said)
      else if (typeof said === 'string' || said.breaks !== 'silence') {
        await this.#stream(response, body, said)
      }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      this.#desk.faults.push(message)
      this.#refuse(response, 400, message)
    }
  }

  #decline(response: ServerResponse, said: Refusal): void {
    if ('body' in said) sendJson(response, said.status, said.body)
    else {
      response.setHeader('retry-after', said.retryAfter)
      this.#refuse(response, said.status, `status ${said.status}`)
    }
  }

  async #stream(response: ServerResponse, body: Body, said: Answer | string): Promise<void> {
    const answer = typeof said === 'string' ? { parts: [{ say: said }] } : said
    const frames = [...this.#wire.framesOf(body, answer)]
    response.writeHead(200, { 'content-type': this.#wire.contentType })
    for (const frame of frames) await written(response, frame)
    if (answer.breaks === 'hang') return
    if (answer.breaks === 'drip') {
      const drip = setInterval(() => response.write(KEEP_ALIVE), DRIP_MS)
      response.on('close', () => clearInterval(drip))
      return
    }
    if (answer.breaks === 'cut') {
      response.socket?.destroy()
      return
    }
    if (answer.breaks === 'overloaded') await written(response, this.#wire.overloaded())
    response.end()
  }

  #refuse(response: ServerResponse, status: number, message: string): void {
    if (response.headersSent) {
      response.destroy()
      return
    }
    sendJson(response, status, this.#wire.refusal(status, message))
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
  return text
}

function written(response: ServerResponse, frame: string): Promise<void> {
  return new Promise((resolve) => {
    response.write(frame, () => resolve())
  })
}
