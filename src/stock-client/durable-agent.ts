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
    stopRun(this).catch(() => super.abortRun())
  }
}

/** A function apart: the stock client copies agents without their private members. */
async function stopRun({ url, threadId, headers, fetch }: HttpAgent): Promise<void> {
  const answer = await fetch(`${url}/stop/${encodeURIComponent(threadId)}`, {
    method: 'POST',
    headers,
  })
  if (!answer.ok) throw new Error(`Cannot stop the run: the server answered ${answer.status}`)
}
