import { createAnthropic } from '@ai-sdk/anthropic'
import { scriptedModel } from '../src/index.ts'
import type { LanguageModel } from '../src/agents/index.ts'

export interface Part {
  /** How the model shows in the usage. */
  readonly modelId?: string
  /** What it says while no real model is chosen. */
  readonly script: Parameters<typeof scriptedModel>[0]
}

/** The real model with `MODEL=anthropic/<name>` and ANTHROPIC_API_KEY, otherwise a script. */
export function model({ modelId = 'scripted', script }: Part): LanguageModel {
  const name = /^anthropic\/(.+)/.exec(process.env['MODEL'] ?? '')?.[1]
  return name === undefined
    ? scriptedModel(script, { modelId, chunkDelayMs: 20 })
    : createAnthropic()(name)
}
