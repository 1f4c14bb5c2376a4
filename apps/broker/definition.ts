import { defineApp } from 'throughline'
import type { App, LanguageModel, Role } from 'throughline'
import type { Sha256 } from 'throughline/log'
import { brokerDomain, caseView, recordView, waterfallRunner } from './case/index.ts'
import type { BrokerState } from './case/index.ts'
import { brokerDisclosures, disclosureRegistry } from './disclosures/index.ts'
import type { DisclosureRegistry } from './disclosures/index.ts'
import { builtInPanel } from './lenders/index.ts'
import type { LenderPanel } from './lenders/index.ts'
import { narrators } from './narrator/index.ts'

export interface BrokerSettings {
  readonly model: LanguageModel
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly sha256: Sha256
  /** Decides on applications; by default the built-in lenders. */
  readonly panel?: LenderPanel
  /** After how many milliseconds of silence a journey counts as idle; never, unless it is given. */
  readonly idleMs?: number | undefined
  /** Whether the customer of a case can be erased: then the store needs keys. */
  readonly erasable?: boolean
}

/** The broker as it is opened, with what its routes ask besides. */
export interface Broker {
  readonly app: App<BrokerState>
  readonly disclosures: DisclosureRegistry
}

/** Defines the broker: its domain, its narrators, and what both sides and the auditor may see and do. */
export function defineBroker(settings: BrokerSettings): Broker {
  const { model, now, sha256, panel = builtInPanel, idleMs, erasable = false } = settings
  const disclosures = disclosureRegistry(brokerDisclosures(panel.lenders), sha256)
  const lenders = panel.lenders.map(({ lender }) => lender)
  const domain = brokerDomain({ disclosures, lenders, idleMs })
  const { installer, customer } = narrators({ model, domain, now })
  const app = defineApp<BrokerState>({
    name: 'broker',
    opens: ['case_created', 'case_hydrated'],
    domain,
    agents: [installer, customer],
    effects: { waterfall: waterfallRunner(panel) },
    roles: {
      installer: side('installer'),
      customer: side('customer'),
      auditor: {
        read: { state: wholeCase, record: 'redacted' },
        propose: [REVEAL],
        reveal: REVEAL,
      },
      operator: { read: { state: wholeCase, record: 'all' } },
    },
    erasable,
    workVersion: `idle ${idleMs ?? 'never'}`,
  })
  return { app, disclosures }
}

/** Each side may ask its own narrator, and cancel the turns on its own surface and no others. */
function side(role: 'installer' | 'customer'): Role<BrokerState> {
  return {
    read: {
      record: (record) => recordView(record, role),
      state: (state) => caseView(state, role),
    },
    propose: 'all',
    run: [role],
    answer: true,
    cancel: true,
  }
}

const REVEAL = 'reveal_personal_data'

const wholeCase = (state: BrokerState) => state.case
