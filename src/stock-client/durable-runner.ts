import { EventType, HttpAgent } from '@ag-ui/client'
import type { AbstractAgent, BaseEvent, RunAgentInput } from '@ag-ui/client'
import { Observable } from 'rxjs'
import { stopRun } from './durable-agent.ts'

export interface RunnerRunRequest {
  /** The runtime's copy for this request, with what it adds to the agent. */
  readonly agent: AbstractAgent
  readonly input: RunAgentInput
}

export interface RunnerConnectRequest {
  readonly threadId: string
  readonly agentId?: string
  /** Those of the page's request that the runtime passes on, and the agent's own. */
  readonly headers?: Record<string, string>
}

export interface RunnerStopRequest {
  readonly threadId: string
  /** Without it the turn at work is meant, whichever it is. */
  readonly runId?: string
}

/**
 * The `runner` of CopilotKit's runtime for agents whose runs outlive it, given the `agents` of the runtime. A thread
 * is read from the server that has it and a stop is sent there, so both work after the runtime has started again,
 * and behind several runtimes. A page that leaves stops nothing.
 *
 * @example
 * const agents = { desk: new DurableAgent({ url: 'https://shop.example/agui/desk' }) }
 * const runtime = new CopilotRuntime({ agents, runner: new DurableRunner(agents) })
 */
export class DurableRunner {
  readonly #agents: Readonly<Record<string, HttpAgent>>

  constructor(agents: Readonly<Record<string, HttpAgent>>) {
    this.#agents = agents
  }

  run({ agent, input }: RunnerRunRequest): Observable<BaseEvent> {
    return new Observable((page) => {
      let hasEnded = false
      const onEvent = ({ event }: { readonly event: BaseEvent }): void => {
        hasEnded ||= event.type === EventType.RUN_FINISHED || event.type === EventType.RUN_ERROR
        page.next(event)
      }
      const end = (error?: unknown): void => {
        if (!hasEnded && !page.closed) page.next(failure(error))
        page.complete()
      }
      agent.runAgent(input, { onEvent }).then(() => page.complete(), end)
      return () => leave(agent)
    })
  }

  /** The thread so far, and the turn at work until it ends. */
  connect({ threadId, agentId = '', headers = {} }: RunnerConnectRequest): Observable<BaseEvent> {
    const { url, headers: own, fetch } = this.#agentNamed(agentId)
    const joined = new HttpAgent({ url: `${url}/connect`, headers: { ...own, ...headers }, fetch })
    const nothing = { messages: [], tools: [], context: [], state: {}, forwardedProps: {} }
    return joined.run({ ...nothing, threadId, runId: crypto.randomUUID() })
  }

  /** Whether a turn is at work in a thread, as its server says. */
  isRunning({ threadId }: { readonly threadId: string }): Promise<boolean> {
    return this.#ofAny(async (agent) => isAtWork(agent, threadId))
  }

  stop({ threadId, runId }: RunnerStopRequest): Promise<boolean> {
    return this.#ofAny(async (agent) => stopRun(agent, { threadId, runId }))
  }

  /** The request names a thread and no agent: the first whose surface has the turn says yes. */
  async #ofAny(ask: (agent: HttpAgent) => Promise<boolean>): Promise<boolean> {
    for (const agent of Object.values(this.#agents)) if (await ask(agent)) return true
    return false
  }

  #agentNamed(name: string): HttpAgent {
    const agent = Object.hasOwn(this.#agents, name) ? this.#agents[name] : undefined
    if (agent) return agent
    const known = Object.keys(this.#agents).join(', ')
    throw new Error(`Cannot join a thread of "${name}": the runner was given ${known}`)
  }
}

async function isAtWork({ url, headers, fetch }: HttpAgent, threadId: string): Promise<boolean> {
  const query = new URLSearchParams({ threadId, limit: '1' }).toString()
  const answer = await fetch(`${url}?${query}`, { headers })
  if (!answer.ok) return false
  const { activeRun } = (await answer.json()) as { readonly activeRun?: unknown }
  return activeRun !== null && activeRun !== undefined
}

/** Leaves the stream of a run, which goes on. */
function leave(agent: AbstractAgent): void {
  // The runtime may have a stock client of its own, whose class is another one.
  if ('abortController' in agent) (agent as HttpAgent).abortController.abort()
}

function failure(error: unknown): BaseEvent {
  const message = error instanceof Error ? error.message : String(error)
  return { type: EventType.RUN_ERROR, message, code: 'unreachable' } as BaseEvent
}
