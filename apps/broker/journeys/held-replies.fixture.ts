import { scriptedModel } from 'throughline'
import type { LanguageModel } from 'throughline'
import { streamingModel } from '../../../src/agents/runs.fixture.ts'
import { scriptedNarrator } from '../narrator/index.ts'

/** The text of a held reply before it waits for ever. */
export const HELD = 'A loan for home improvements is'

/** The scripted narrator, but where the newest thing in its prompt is picked it begins and never ends. */
export function heldReplies(isHeld: (newest: string) => boolean): LanguageModel {
  const [narrator, endless] = [scriptedNarrator(), streamingModel([`${HELD} `], 'never ends')]
  const model = scriptedModel(() => '')
  model.doStream = (call) => {
    const chosen = isHeld(JSON.stringify(call.prompt.at(-1))) ? endless : narrator
    // Both are scripted models, and those are of one version.
    return (chosen as typeof model).doStream(call)
  }
  return model
}
