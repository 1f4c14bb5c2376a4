import type { LanguageModel } from 'throughline/models'
import type { Domain } from 'throughline/domain'
import type { Narrator } from 'throughline/turn'
import type { BrokerState } from '../case/index.ts'
import { customerInstructions } from './customer-prompt.ts'
import { installerInstructions } from './installer-prompt.ts'
import { customerNotes, installerNotes } from './notes.ts'
import { OfferedEvents } from './offered-events.ts'

export interface NarratorParts {
  readonly model: LanguageModel
  /** What it lets a model propose, and in which shape, is what each prompt offers. */
  readonly domain: Domain<BrokerState>
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** Puts one model in front of both sides. Only a customer's turn may submit. */
export function narrators({ model, domain, now }: NarratorParts): {
  readonly installer: Narrator<BrokerState>
  readonly customer: Narrator<BrokerState>
} {
  const onTablet = new OfferedEvents(domain, 'installer')
  const onPhone = new OfferedEvents(domain, 'customer')
  return {
    installer: {
      agent: 'installer',
      surface: 'installer',
      model,
      instructions: (state) => installerInstructions(state, onTablet.on(state, now())),
      notes: installerNotes,
      maySubmit: false,
    },
    customer: {
      agent: 'customer',
      surface: 'customer',
      model,
      instructions: (state) => customerInstructions(state, onPhone.on(state, now())),
      notes: customerNotes,
      maySubmit: true,
    },
  }
}
