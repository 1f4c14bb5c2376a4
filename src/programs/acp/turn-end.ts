import type { TurnEnded } from '../session/session-event.ts'
import type { AcpPromptEnded, RpcError } from './lines.ts'

export interface TurnEnd {
  readonly prompt: string
  /** Absent where the turn failed, or the agent's answer cannot be read. */
  readonly stopped: AcpPromptEnded | undefined
  readonly error: RpcError | undefined
  readonly model: string
  readonly costUsd: number | null
}

export function turnEnded({ prompt, stopped, error, model, costUsd }: TurnEnd): TurnEnded {
  const { stopReason = 'error', usage } = stopped ?? {}
  const counted = tokensOf(usage ?? {})
  const ending = outcomeOf(stopReason)
  const why = ending.outcome === 'error' ? `The agent stopped: ${stopReason}` : ''
  return {
    type: 'turn_ended',
    prompts: [prompt],
    taskRun: null,
    ...ending,
    text: error?.message ?? why,
    steps: 1,
    costUsd,
    usage: counted,
    usageByModel: usage ? [{ model, ...counted }] : [],
  }
}

function tokensOf(usage: NonNullable<AcpPromptEnded['usage']>) {
  return {
    inputTokens: usage.inputTokens ?? 0,
    outputTokens: usage.outputTokens ?? 0,
    cacheReadTokens: usage.cachedReadTokens ?? 0,
    cacheCreationTokens: usage.cachedWriteTokens ?? 0,
  }
}

function outcomeOf(stop: string): Pick<TurnEnded, 'outcome' | 'code'> {
  if (stop === 'end_turn') return { outcome: 'success', code: '' }
  if (stop === 'cancelled') return { outcome: 'interrupted', code: 'cancelled' }
  return { outcome: 'error', code: stop }
}
