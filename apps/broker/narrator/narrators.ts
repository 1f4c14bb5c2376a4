import type { LanguageModel } from 'throughline/agents'
import type { Narrator } from 'throughline/turn'
import type { BrokerState } from '../case/index.ts'
import { customerInstructions } from './customer-prompt.ts'
import { installerInstructions } from './installer-prompt.ts'
import { customerNotes, installerNotes } from './notes.ts'

/** Puts one model in front of both sides. Only a customer's turn may submit. */
export function narrators(model: LanguageModel): {
  readonly installer: Narrator<BrokerState>
  readonly customer: Narrator<BrokerState>
} {
  return {
    installer: {
      agent: 'installer',
      surface: 'installer',
      model,
      instructions: installerInstructions,
      notes: installerNotes,
      maySubmit: false,
    },
    customer: {
      agent: 'customer',
      surface: 'customer',
      model,
      instructions: customerInstructions,
      notes: customerNotes,
      maySubmit: true,
    },
  }
}
