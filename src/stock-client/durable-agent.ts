import { HttpAgent } from '@ag-ui/client'
import type { HttpAgentConfig } from '@ag-ui/client'
import { aguiFetch } from '../agui-client/index.ts'

/**
 * The stock `HttpAgent` for agents whose runs outlive a connection, as all that Throughline serves do: it resumes
 * after a cut, `connectAgent()` joins the thread, and `abortRun()` cancels the run on the server, whose stream
 * ends with it. For CopilotKit's `selfManagedAgents` and its runtime too.
 *
 * @example
 * const agent = new DurableAgent({ url: '/agui/desk', threadId: 'order-4711' })
 * await agent.connectAgent()
 */
export class DurableAgent extends HttpAgent {
  constructor(config: HttpAgentConfig) {
    super({ fetch: aguiFetch({ attaches: true }), ...config })
  }

  protected override connect(input: Parameters<HttpAgent['run']>[0]): ReturnType<HttpAgent['run']> {
    const joined = new HttpAgent({
      url: `${this.url}/connect`,
      headers: this.headers,
      fetch: this.fetch,
    })
    // Leaving this agent leaves the joined stream.
    joined.abortController = this.abortController
    return joined.run(input)
  }

  override abortRun(): void {
    const { threadId } = this
    stopRun(this, { threadId }).catch(() => super.abortRun())
  }
}

/** Cancels the turn at work in a thread, or the run that is named; false where there is none. */
// A function apart: the stock client copies agents without their private members.
export async function stopRun(
  { url, headers, fetch }: HttpAgent,
  { threadId, runId }: { readonly threadId: string; readonly runId?: string | undefined },
): Promise<boolean> {
  const named = runId !== undefined && {
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ runId }),
  }
  const answer = await fetch(`${url}/stop/${encodeURIComponent(threadId)}`, {
    method: 'POST',
    headers,
    ...named,
  })
  if (!answer.ok) throw new Error(`Cannot stop the run: the server answered ${answer.status}`)
  const { stopped } = (await answer.json()) as { readonly stopped?: unknown }
  return stopped === true
}
