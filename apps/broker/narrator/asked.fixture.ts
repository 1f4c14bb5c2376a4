import { callModel } from 'throughline/server/extend'
import type { ModelMessage } from 'throughline'
import { stripEventTags } from 'throughline/inline'
import type { BrokerState } from '../case/index.ts'
import { costsOfCase } from './case-costs.ts'
import { helpNotes } from './help-notes.ts'
import { scriptedNarrator } from './index.ts'
import type { Misbehaviour } from './index.ts'
import { customerInstructions, installerInstructions } from './prompts.fixture.ts'

interface Prompt {
  readonly system: string
  readonly said: string
  readonly misbehave?: Misbehaviour
}

export async function ask({ system, said, misbehave }: Prompt): Promise<string> {
  const messages: ModelMessage[] = [{ role: 'user', text: said }]
  let text = ''
  const model = scriptedNarrator(misbehave ? { misbehave } : {})
  for await (const part of callModel(model, { system, messages })) {
    if (part.type === 'text') text += part.delta
  }
  return text
}

/** Returns the scripted narrator's reply and proposals to a customer's message. */
export async function customer(state: BrokerState, said: string) {
  return stripEventTags(
    await ask({ system: customerInstructions(state), said: withHelp(said, 'customer', state) }),
  )
}

export async function installer(state: BrokerState, said: string) {
  return stripEventTags(
    await ask({ system: installerInstructions(state), said: withHelp(said, 'installer', state) }),
  )
}

/** The message as a model gets it: with the articles that the server finds for it. */
export function withHelp(said: string, side: 'customer' | 'installer', state: BrokerState): string {
  const costs = side === 'customer' ? costsOfCase(state.case) : ''
  const typed = said.split('\n\n').filter((each) => !each.startsWith('['))
  return [said, ...helpNotes(typed.join('\n'), side, costs)].join('\n\n')
}
