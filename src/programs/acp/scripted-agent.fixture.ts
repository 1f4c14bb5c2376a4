import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { RequestError, agent, methods, ndJsonStream } from '@agentclientprotocol/sdk'
import type {
  AgentContext,
  PromptResponse,
  RequestPermissionRequest,
  SessionUpdate,
} from '@agentclientprotocol/sdk'

/** What the agent does for a prompt that is `{ "play": [...] }`; to any other it says what it was asked. */
export interface AcpStep {
  readonly text?: string
  readonly thought?: string
  readonly tool?: {
    readonly name: string
    readonly input: Record<string, unknown>
    readonly result: string
    readonly asks?: boolean
    readonly fails?: boolean
    /** Its process ends at the answer to its question. */
    readonly dies?: boolean
    /** Tells of the call again after its end: what its terminal wrote, and that it asks for it again. */
    readonly isToldAgain?: boolean
  }
  readonly waitMs?: number
  /** Ends the process; one that is told to go on does what follows. */
  readonly dies?: boolean
  readonly stops?: PromptResponse['stopReason']
  readonly error?: { readonly code: number; readonly message: string }
  /** A line as it is. */
  readonly raw?: string
  /** Comes behind the answer to the prompt. */
  readonly behind?: string
}

interface Turn {
  readonly sessionId: string
  readonly client: AgentContext
  readonly cancelled: AbortSignal
}

class ScriptedAgent {
  readonly #canLoad = !process.argv.includes('--loads-nothing')
  readonly #failsToLoad = process.argv.includes('--fails-to-load')
  readonly #isLocked = process.argv.includes('--is-locked')
  readonly #version = process.argv.includes('--version-2') ? 2 : 1
  readonly #turns = new Map<string, AbortController>()
  #calls = 0

  connect(): void {
    agent({ name: 'scripted' })
      .onRequest(methods.agent.initialize, () => ({
        protocolVersion: this.#version,
        agentInfo: { name: 'scripted', version: '1.0.0' },
        agentCapabilities: { loadSession: this.#canLoad },
      }))
      .onRequest(methods.agent.session.new, ({ params }) => {
        if (this.#isLocked) throw new RequestError(-32_000, 'Authentication required')
        const sessionId = crypto.randomUUID()
        writeFileSync(fileOf(params.cwd, sessionId), '')
        return { sessionId, configOptions: [] }
      })
      .onRequest(methods.agent.session.load, async ({ params: { sessionId, cwd }, client }) => {
        const file = fileOf(cwd, sessionId)
        if (this.#failsToLoad) throw new RequestError(-32_603, 'Internal error')
        if (!existsSync(file)) throw new RequestError(-32_602, 'There is no such session')
        const turn = { sessionId, client, cancelled: new AbortController().signal }
        await say(turn, { sessionUpdate: 'agent_message_chunk', content: text('before') })
        return {}
      })
      .onRequest(
        methods.agent.session.prompt,
        async ({ params: { sessionId, prompt }, client }) => {
          const ending = new AbortController()
          this.#turns.set(sessionId, ending)
          const asked = prompt.map((block) => ('text' in block ? block.text : '')).join('|')
          return this.#play(stepsOf(asked), { sessionId, client, cancelled: ending.signal })
        },
      )
      .onNotification(methods.agent.session.cancel, ({ params }) => {
        this.#turns.get(params.sessionId)?.abort()
      })
      // The types of the platform's streams differ by their names alone.
      .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin) as never))
  }

  async #play(steps: readonly AcpStep[], turn: Turn): Promise<PromptResponse> {
    for (const step of steps) {
      if (turn.cancelled.aborted) return { stopReason: 'cancelled' }
      if (step.stops) return { stopReason: step.stops }
      if (step.error) throw new RequestError(step.error.code, step.error.message)
      await this.#do(step, turn)
    }
    const usage = { inputTokens: 7, outputTokens: 3, totalTokens: 10 }
    return {
      stopReason: turn.cancelled.aborted ? 'cancelled' : 'end_turn',
      usage,
    } as PromptResponse
  }

  async #do(step: AcpStep, turn: Turn): Promise<void> {
    const { text: said, thought, tool, waitMs, dies, raw, behind } = step
    if (behind !== undefined) {
      const late = { sessionUpdate: 'agent_message_chunk', content: text(behind) } as const
      setImmediate(() => void say(turn, late))
    }
    if (said !== undefined) {
      for (const word of said.split(/(?<= )/)) {
        await say(turn, { sessionUpdate: 'agent_message_chunk', content: text(word) })
      }
    }
    if (thought !== undefined) {
      await say(turn, { sessionUpdate: 'agent_thought_chunk', content: text(thought) })
    }
    if (tool) await this.#use(tool, turn)
    if (raw !== undefined) process.stdout.write(`${raw}\n`)
    if (waitMs !== undefined)
      await setTimeout(waitMs, undefined, { signal: turn.cancelled }).catch(() => undefined)
    if (dies === true) process.exit(9)
  }

  async #use(tool: NonNullable<AcpStep['tool']>, turn: Turn) {
    const { name, input, result, asks, fails, dies, isToldAgain } = tool
    const toolCallId = `call_${++this.#calls}`
    const call = { toolCallId, title: name, kind: 'execute', rawInput: input } as const
    await say(turn, { sessionUpdate: 'tool_call', ...call, rawInput: {}, status: 'pending' })
    const isAllowed = asks !== true || (await mayUse(turn, call))
    if (dies === true) process.exit(9)
    if (isAllowed)
      await say(turn, { sessionUpdate: 'tool_call_update', ...call, status: 'in_progress' })
    const content = [{ type: 'content' as const, content: text(isAllowed ? result : 'refused') }]
    const status = isAllowed && fails !== true ? 'completed' : 'failed'
    await say(turn, { sessionUpdate: 'tool_call_update', toolCallId, status, content })
    if (isToldAgain !== true) return
    await say(turn, { sessionUpdate: 'tool_call_update', toolCallId, title: `${name} (0.1 s)` })
    await say(turn, { sessionUpdate: 'tool_call_update', toolCallId, status, content })
    await mayUse(turn, call).catch(() => false)
    await say(turn, { sessionUpdate: 'tool_call_update', ...call, status: 'in_progress' })
  }
}

async function mayUse({ client, sessionId }: Turn, toolCall: { toolCallId: string }) {
  const asked: RequestPermissionRequest = {
    sessionId,
    toolCall,
    options: [
      { optionId: 'always', name: 'Always', kind: 'allow_always' },
      { optionId: 'once', name: 'Once', kind: 'allow_once' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ],
  }
  const { outcome } = await client.request(methods.client.session.requestPermission, asked)
  return outcome.outcome === 'selected' && outcome.optionId === 'once'
}

function say({ client, sessionId }: Turn, update: SessionUpdate): Promise<void> {
  return client.notify(methods.client.session.update, { sessionId, update })
}

function text(value: string) {
  return { type: 'text' as const, text: value }
}

function stepsOf(asked: string): readonly AcpStep[] {
  // A message that was not answered is told again before the next.
  const play = /\{"play":.*\}/.exec(asked.split('\n\n').at(-1) ?? '')?.[0]
  if (play === undefined) return [{ text: `You said: ${asked}` }]
  const { play: steps } = JSON.parse(play) as { readonly play: readonly AcpStep[] }
  const isGoingOn = asked.startsWith('Your process was ended')
  return isGoingOn ? steps.slice(steps.findIndex(({ dies }) => dies) + 1) : steps
}

function fileOf(cwd: string, session: string): string {
  return join(cwd, `session-${session}.json`)
}

if (import.meta.filename === process.argv[1]) new ScriptedAgent().connect()
