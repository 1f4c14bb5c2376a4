import { createHash } from 'node:crypto'
import { defineApp } from '../application/index.ts'
import { LogError } from '../log/index.ts'
import type { LogRecord } from '../log/index.ts'
import { open } from '../open.ts'
import { agentState, isSecretHeader, remoteAgent } from '../programs/index.ts'
import {
  STREAMS_PER_TOKEN_MAX,
  TURNS_PER_MINUTE_MAX,
  firstRecord,
  isLoopback,
  serve,
} from '../server/index.ts'
import type { Caller } from '../server/index.ts'
import type { ProxyDomain } from './proxy-domain.ts'
import { ThreadOwners } from './thread-owners.ts'

export interface ProxyOptions {
  readonly agent: string
  readonly name: string
  readonly store: string
  readonly anchorKeys: readonly string[]
  readonly host: string
  readonly port: number
  /** Sent to the agent with each request. */
  readonly headers: Readonly<Record<string, string>>
  /** Headers of the page's request that go on to the agent. */
  readonly forwardedHeaders: readonly string[]
  /** The header that says whose a thread is; by default the forwarded ones that hold a secret. */
  readonly ownerHeader?: string | undefined
  /** Origins whose pages may ask. */
  readonly origins: readonly string[]
  readonly publicUrl?: string | undefined
  readonly stopUrl?: string | undefined
  readonly followsRedirects: boolean
  /** How long the agent may say nothing, in milliseconds. */
  readonly silenceMaxMs?: number | undefined
  readonly domain?: ProxyDomain | undefined
  readonly operatorToken?: string | undefined
}

export interface RunningProxy {
  /** The address that pages give their AG-UI client. */
  readonly url: string
  close(): Promise<void>
}

/** The types of files that a message may hold. */
const FILES = ['image/*', 'audio/*', 'video/*', 'text/*', 'application/*', 'document/*']

/** Puts a server with a log in front of an AG-UI agent that exists already. */
export async function openProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { name, store, host, port, anchorKeys, publicUrl, origins } = options
  if (ownerHeaders(options).length === 0) requireLoopback(host, publicUrl)
  const { domain, state, stateEvents } = options.domain ?? agentState
  const agent = remoteAgent({
    name,
    domain,
    url: options.agent,
    headers: options.headers,
    state,
    stateEvents,
    files: FILES,
    forward: {
      state: true,
      forwardedProps: true,
      systemMessages: true,
      ids: true,
      interrupts: true,
      headers: options.forwardedHeaders,
    },
    ...(options.stopUrl !== undefined && { stopUrl: options.stopUrl }),
    ...(options.silenceMaxMs !== undefined && { silenceMaxMs: options.silenceMaxMs }),
    ...(options.followsRedirects && { redirects: 'same-origin' as const }),
  })
  const app = defineApp({
    name: 'proxy',
    domain,
    agents: [agent],
    roles: {
      page: {
        read: { state, record: (record) => (isOfDomain(domain, record) ? undefined : record) },
        propose: 'all',
        run: 'all',
        begin: true,
        answer: true,
        cancel: true,
      },
    },
  })
  const throughline = await open({ store, apps: [app], storage: { anchorKeys } })
  const owners = new ThreadOwners((thread) => firstRecord(throughline.log, thread))
  const server = await serve(throughline, {
    host,
    port,
    authenticate: (request: Request, thread: string | undefined) =>
      callerOf(request, thread, { ...options, owners }),
    allowedOrigins: origins,
    ...(publicUrl !== undefined && { publicUrl }),
    // The agent's own limits count.
    turnsPerMinute: TURNS_PER_MINUTE_MAX,
    streamsPerToken: STREAMS_PER_TOKEN_MAX,
  }).catch(async (error: unknown) => {
    await throughline.close()
    throw error
  })
  return {
    url: `${server.url}/agui/${encodeURIComponent(name)}`,
    async close() {
      await server.close()
      await throughline.close()
    },
  }
}

/** Pages read the state that such an event leads to, and nothing of the event: their agent never sent it. */
function isOfDomain({ events }: ProxyDomain['domain'], { type }: LogRecord): boolean {
  return events.has(type)
}

type Entry = Pick<ProxyOptions, 'ownerHeader' | 'forwardedHeaders' | 'operatorToken'> & {
  readonly owners: ThreadOwners
}

const FOR_OPERATORS = 'Only the operator may do this: give OPERATOR_TOKEN as a bearer token'
const FOREIGN_THREAD = 'This thread belongs to another sender; give a new thread a new threadId'

async function callerOf(
  request: Request,
  thread: string | undefined,
  { ownerHeader, forwardedHeaders, operatorToken, owners }: Entry,
): Promise<Caller | { readonly forbidden: string } | undefined> {
  const { headers } = request
  if (operatorToken !== undefined && isToken(headers.get('authorization'), operatorToken)) {
    return { role: 'operator' }
  }
  // Clients read there which agents there are; every other route of no thread lists the threads of all.
  if (thread === undefined && !new URL(request.url).pathname.endsWith('/agui/info')) {
    return { forbidden: FOR_OPERATORS }
  }
  const names = ownerHeaders({ ownerHeader, forwardedHeaders })
  if (names.length === 0) return { role: 'page' }
  const actor = actorIn(headers, names)
  if (actor === undefined) return undefined
  if (thread !== undefined && !(await owners.isOwner(thread, actor))) {
    return { forbidden: FOREIGN_THREAD }
  }
  return { role: 'page', actor, beginsAlone: true }
}

/** The headers that say whose a thread is. */
function ownerHeaders({
  ownerHeader,
  forwardedHeaders,
}: Pick<ProxyOptions, 'ownerHeader' | 'forwardedHeaders'>): readonly string[] {
  return ownerHeader === undefined ? forwardedHeaders.filter(isSecretHeader) : [ownerHeader]
}

function requireLoopback(host: string, publicUrl = ''): void {
  const hosts = [host, URL.parse(publicUrl)?.hostname ?? host]
  const reached = hosts.find((each) => !isLoopback(each))
  if (reached === undefined) return
  const why = 'anybody who reaches it could open each thread whose name they know'
  const mend = 'give --owner-header or --forward-header authorization, or serve on 127.0.0.1'
  throw new LogError('configuration', `Cannot serve on "${reached}": ${why}; ${mend}`)
}

function isToken(given: string | null, token: string): boolean {
  // Digests of one length are compared in a time that says nothing of the token.
  return given !== null && digest(given) === digest(`Bearer ${token}`)
}

/** A longer name of a sender is on record as its digest. */
export const PROXY_ACTOR_CHARS_MAX = 64

/** Names the sender by headers: by the value of one that is no secret, otherwise by a digest. */
function actorIn(headers: Headers, names: readonly string[]): string | undefined {
  const values = names.map((name) => headers.get(name) ?? '')
  if (values.every((value) => value === '')) return undefined
  const [name = '', ...others] = names
  const [value = ''] = values
  const isPlain =
    others.length === 0 && !isSecretHeader(name) && value.length <= PROXY_ACTOR_CHARS_MAX
  return isPlain ? value : digest(JSON.stringify(values))
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
