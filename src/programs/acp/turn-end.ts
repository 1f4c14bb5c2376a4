import type { TurnEnded } from '../session-event.ts'
import type { AcpPromptEnded, RpcError } from './lines.ts'

/** The end of a turn: why the agent stopped, or how it failed; undefined where its answer cannot be read. */
export type TurnEnd =
  | { readonly stopped: AcpPromptEnded }
  | { readonly failed: RpcError }
  | undefined

export function turnEnded(
  prompt: string,
  end: TurnEnd,
  { model, costUsd }: { readonly model: string; readonly costUsd: number | null },
): TurnEnded {
  const { stopReason = 'error', usage } = end && 'stopped' in end ? end.stopped : {}
  const counted = tokensOf(usage ?? {})
  const ending = outcomeOf(stopReason)
  const why = ending.outcome === 'error' ? `The agent stopped: ${stopReason}` : ''
  return {
    type: 'turn_ended',
    prompts: [prompt],
    taskRun: null,
    ...ending,
    text: end && 'failed' in end ? end.failed.message : why,
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
