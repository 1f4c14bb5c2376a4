import type { Agent, Domain, LanguageModel } from 'throughline'
import { defineAgent } from 'throughline'
import type { BrokerState } from '../case/index.ts'
import { customerInstructions } from './customer-prompt.ts'
import { installerInstructions } from './installer-prompt.ts'
import { customerNotes, installerNotes, supportOffered } from './notes.ts'
import { OfferedEvents } from './offered-events.ts'

export interface NarratorParts {
  readonly model: LanguageModel
  /** Each prompt offers the events that this lets a model propose, in their shape. */
  readonly domain: Domain<BrokerState>
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** A long conversation is summed up before a model call would hold more characters than these. */
const LIMITS = { historyChars: 80_000 }

/** Puts one model in front of both sides. Only a customer's turn may submit. */
export function narrators({ model, domain, now }: NarratorParts): {
  readonly installer: Agent<BrokerState>
  readonly customer: Agent<BrokerState>
} {
  const onTablet = new OfferedEvents(domain, 'installer')
  const onPhone = new OfferedEvents(domain, 'customer')
  return {
    installer: defineAgent({
      domain,
      name: 'installer',
      surface: 'installer',
      model,
      instructions: ({ state }) => installerInstructions(state, onTablet.on(state, now())),
      notes: installerNotes,
      limits: LIMITS,
    }),
    customer: defineAgent({
      domain,
      name: 'customer',
      surface: 'customer',
      model,
      instructions: ({ state }) => customerInstructions(state, onPhone.on(state, now())),
      notes: customerNotes,
      annotations: supportOffered,
      submits: true,
      limits: LIMITS,
    }),
  }
}
