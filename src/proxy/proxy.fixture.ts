import type { Interrupt } from '@ag-ui/core'
import { onTestFinished } from 'vitest'
import { loopback } from '../programs/loopback.fixture.ts'
import type { Answer } from '../programs/loopback.fixture.ts'
import { openProxy } from './open-proxy.ts'
import type { ProxyOptions } from './open-proxy.ts'

export const PROXY_DEFAULTS = {
  name: 'agent',
  store: 'memory:',
  anchorKeys: [],
  host: '127.0.0.1',
  port: 0,
  headers: {},
  forwardedHeaders: [],
  origins: [],
  followsRedirects: false,
} satisfies Omit<ProxyOptions, 'agent'>

export type Frame = Readonly<Record<string, unknown>> & { readonly type: string }

/** What a page sends: a request for a run, as far as a test names it. */
export interface Sent {
  readonly threadId?: string
  readonly runId?: string
  readonly messages?: readonly object[]
  readonly [member: string]: unknown
}

/** The proxy in front of an agent that answers as a test says, and a page that asks it. */
export async function proxied(
  answer: Answer,
  options: Partial<ProxyOptions> | ((agent: string) => Partial<ProxyOptions>) = {},
) {
  const agent = await loopback(answer)
  const given = typeof options === 'function' ? options(agent.url) : options
  const proxy = await openProxy({ ...PROXY_DEFAULTS, agent: agent.url, ...given })
  onTestFinished(() => proxy.close())
  return { agent, ...pageOf(proxy.url) }
}

let runs = 0

/** A page that sends its requests to an address. */
export function pageOf(url: string) {
  async function send(
    sent: Sent = {},
    { path = '', headers = {} }: { path?: string; headers?: Readonly<Record<string, string>> } = {},
  ) {
    const body = { threadId: 't', runId: `run-${++runs}`, messages: [], ...sent }
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ protocolVersion: '1.0', ...body }),
    })
    const text = await response.text()
    return { status: response.status, text, frames: framesIn(text) }
  }
  return {
    url,
    send,
    ask: (content: string, more: Sent = {}, options: Parameters<typeof send>[1] = {}) =>
      send({ messages: [user(content)], ...more }, options),
    connect: (more: Sent = {}, options: Parameters<typeof send>[1] = {}) =>
      send(more, { ...options, path: '/connect' }),
  }
}

export function user(content: string, id = `u-${++runs}`) {
  return { id, role: 'user', content }
}

export function framesIn(text: string): readonly Frame[] {
  return text.split('\n').flatMap((line) => {
    // The proxy frames events of JSON.
    return line.startsWith('data: ') ? [JSON.parse(line.slice('data: '.length)) as Frame] : []
  })
}

export function typesOf(frames: readonly Frame[]): readonly string[] {
  return frames.map(({ type }) => type)
}

/** The questions with which a run ends. */
export function interruptsIn(frames: readonly Frame[]) {
  // A test whose run ends otherwise fails on them.
  return (
    (frames.at(-1)?.['outcome'] as { readonly interrupts: readonly Interrupt[] } | undefined)
      ?.interrupts ?? []
  )
}

export function frameOf(frames: readonly Frame[], type: string): Frame | undefined {
  return frames.findLast((frame) => frame.type === type)
}
