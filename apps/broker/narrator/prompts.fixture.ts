import { scriptedModel } from 'throughline'
import { brokerDomain } from '../case/index.ts'
import type { BrokerState } from '../case/index.ts'
import { brokerDisclosures, disclosureRegistry } from '../disclosures/index.ts'
import { builtInPanel } from '../lenders/index.ts'
import { narrators } from './index.ts'
import { sha256 } from '../../../test/memory-log.fixture.ts'

export const texts = brokerDisclosures(builtInPanel.lenders)
export const domain = brokerDomain({ disclosures: disclosureRegistry(texts, sha256) })
export const NOW = 1_800_000_000_000

const both = narrators({ model: scriptedModel(() => ''), domain, now: () => NOW })

export const customerInstructions = (state: BrokerState) =>
  both.customer.instructions({ state, thread: '', context: {} })
export const installerInstructions = (state: BrokerState) =>
  both.installer.instructions({ state, thread: '', context: {} })
