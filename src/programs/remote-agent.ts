import { startOf, unknownMember } from '../json/index.ts'
import type { Agent, AgentParts } from '../agents/index.ts'
import { AgentError, defineAgent } from '../agents/index.ts'
import type { EventEntries } from '../domain/index.ts'
import type { Json, KnownMembers } from '../json/index.ts'
import { emitWarning } from '../platform/index.ts'
import { httpSource } from './http-source.ts'
import type { HttpSourceOptions } from './http-source.ts'
import { programOf } from './ingest.ts'
import type { Forwarded, StateEvents } from './forward.ts'
import { FORWARDED_HEADERS_MAX, REMOTE_SILENCE_MAX_MS } from './limits.ts'
import type { ProgramFault } from './mend.ts'

/** An agent on another server, and its permissions here. */
export interface RemoteAgentParts<
  State,
  Events extends EventEntries<State> = EventEntries<State>,
  Name extends string = string,
> extends Omit<
  AgentParts<State, Events, Name>,
  'model' | 'program' | 'temperature' | 'submits' | 'providerOptions'
> {
  /** Where it takes AG-UI requests: http or https, without a user and password in it. */
  readonly url: string
  /** Sent with each request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>
  readonly fetch?: HttpSourceOptions['fetch']
  /** The state that its run gets; by default none. */
  readonly state?: (state: State) => Json
  readonly forwardedProps?: Json
  /** What it gets of the request of the client that asks it. By default its context and tools alone. */
  readonly forward?: Forwarded
  /**
   * Turns the state that it sends into events of the domain, which the gate decides as those of a model, while
   * its run goes on. By default its state is on record and changes nothing.
   */
  readonly stateEvents?: StateEvents<State>
  /**
   * Gets a POST when a run is left before its end, such as `https://agents.example/agui/clerk/stop/{threadId}`.
   * It has the origin of `url`.
   */
  readonly stopUrl?: string
  /**
   * Whether a redirect to the same origin is followed. By default none is: the answer to one is a failed
   * run, and `headers` go to the origin of `url` alone.
   */
  readonly redirects?: 'same-origin'
  /** How long it may say nothing, in milliseconds; at most and by default `REMOTE_SILENCE_MAX_MS`. */
  readonly silenceMaxMs?: number
  /** Learns of faults of its stream; by default each kind is a warning of the process, once. */
  readonly onFault?: (fault: ProgramFault) => void
}

const PARTS: KnownMembers<RemoteAgentParts<never>> = {
  name: true,
  url: true,
  domain: true,
  description: true,
  instructions: true,
  surface: true,
  notes: true,
  annotations: true,
  tools: true,
  emits: true,
  agents: true,
  handoffs: true,
  limits: true,
  afterCrash: true,
  files: true,
  forward: true,
  stateEvents: true,
  stopUrl: true,
  headers: true,
  fetch: true,
  state: true,
  forwardedProps: true,
  redirects: true,
  silenceMaxMs: true,
  onFault: true,
}

/**
 * Defines an agent that answers from another server over AG-UI. It takes part like any other agent: its stream
 * is verified and on record, its calls of these tools run here, and it has no authority but `emits`.
 *
 * @throws {@link AgentError} `invalid_agent` also for a bad `url`, `headers` or `silenceMaxMs`
 * @example
 * const clerk = remoteAgent({ name: 'clerk', url: 'https://agents.example/agui/clerk' })
 */
export function remoteAgent<
  State = unknown,
  Events extends EventEntries<State> = EventEntries<State>,
  Name extends string = string,
>(parts: RemoteAgentParts<State, Events, Name>): Agent<State, Name> {
  const {
    url,
    headers = {},
    fetch: given,
    state,
    forwardedProps,
    forward = {},
    stateEvents,
    stopUrl,
    files,
    silenceMaxMs,
    redirects,
    onFault,
    ...agent
  } = parts
  const { name } = agent
  const unknown = unknownMember(parts, PARTS)
  if (unknown !== undefined) throw invalid(name, unknown)
  checkHeaders(name, headers)
  checkForwarded(name, forward)
  const source = httpSource({
    url: checkedUrl(name, url),
    headers,
    fetch: given ?? ((to, init) => fetch(to, init)),
    silenceMaxMs: checkedSilence(name, silenceMaxMs),
    redirects,
    forwardedHeaders: forward.headers,
    stopUrl: stopUrl === undefined ? undefined : checkedStopUrl(name, stopUrl, url),
  })
  const program = programOf('remote', source, {
    ...(forwardedProps === undefined ? {} : { forwardedProps }),
    // The agent's domain gives the state.
    ...(state && { state: (each: unknown) => state(each as State) }),
    ...(stateEvents && {
      stateEvents: (reported: Json, before: unknown) => stateEvents(reported, before as State),
    }),
    forward,
    ...(files && { files }),
    onFault: onFault ?? warningOf(name),
  })
  return defineAgent<State, Events, Name>({ ...agent, program })
}

function warningOf(name: string): (fault: ProgramFault) => void {
  const warned = new Set<ProgramFault>()
  return (fault) => {
    if (warned.has(fault)) return
    warned.add(fault)
    emitWarning(`The remote agent "${name}" sent what had to be mended or left out: ${fault}`)
  }
}

function checkedUrl(name: string, given: string): string {
  const url = URL.parse(given)
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw invalid(name, `its url "${startOf(String(given), 200)}" is no http or https URL`)
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid(name, 'its url holds a user or a password; give them in `headers`')
  }
  return url.href
}

/** The request's own: another value would break it. */
const OWN_HEADERS: readonly string[] = ['accept', 'content-length', 'content-type', 'host']

function checkHeaders(name: string, headers: Readonly<Record<string, string>>): void {
  let given: Headers
  try {
    given = new Headers(headers)
  } catch (cause) {
    const why = 'one of its headers has a name or value that HTTP does not allow'
    throw invalid(name, why, { cause })
  }
  const own = OWN_HEADERS.find((header) => given.has(header))
  if (own !== undefined) throw invalid(name, `its header "${own}" is the request's own`)
}

const FORWARDED: KnownMembers<Forwarded> = {
  state: true,
  forwardedProps: true,
  systemMessages: true,
  ids: true,
  interrupts: true,
  headers: true,
}

/** They belong to one connection. */
const NOT_FORWARDED: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'expect',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

function checkForwarded(name: string, forward: Forwarded): void {
  const unknown = unknownMember(forward, FORWARDED)
  if (unknown !== undefined) throw invalid(name, `its \`forward\` does not fit: ${unknown}`)
  const { headers = [] } = forward
  if (headers.length > FORWARDED_HEADERS_MAX) {
    throw invalid(
      name,
      `it forwards ${headers.length} headers, at most ${FORWARDED_HEADERS_MAX} go`,
    )
  }
  for (const header of headers) {
    checkHeaders(name, { [header]: 'value' })
    if (!NOT_FORWARDED.has(header.toLowerCase())) continue
    throw invalid(name, `the header "${header}" belongs to one connection and is never forwarded`)
  }
}

function checkedStopUrl(name: string, given: string, url: string): string {
  const stop = checkedUrl(name, given)
  const { origin } = new URL(url)
  if (new URL(stop).origin !== origin) {
    throw invalid(name, `its stopUrl is not of the origin ${origin}, which alone gets its headers`)
  }
  return stop.replaceAll('%7BthreadId%7D', '{threadId}')
}

function checkedSilence(name: string, given = REMOTE_SILENCE_MAX_MS): number {
  if (given > 0 && given <= REMOTE_SILENCE_MAX_MS) return given
  throw invalid(name, `its silenceMaxMs is ${given}, not 1 to ${REMOTE_SILENCE_MAX_MS}`)
}

function invalid(name: string, why: string, options?: ErrorOptions): AgentError {
  return new AgentError('invalid_agent', `Cannot define agent "${name}": ${why}`, options)
}
