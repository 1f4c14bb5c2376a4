import type { AnyEventType, Domain } from 'throughline/domain'
import type { DisclosureRegistry } from '../disclosures/index.ts'
import { NO_CASE, broker } from './case-domain.ts'
import type { BrokerState } from './case-domain.ts'
import type { BrokerEventType, BrokerSystemType } from './event-names.ts'
import { applicationDetailEvents } from './events/application-details.ts'
import { applicationEvents } from './events/application.ts'
import { customerJourneyEvents } from './events/customer-journey.ts'
import { evidenceEvents, presentDisclosure } from './events/disclosures-and-consents.ts'
import { lifecycleEvents } from './events/lifecycle.ts'
import { projectAndContactEvents } from './events/project-and-contact.ts'
import { systemEvents } from './events/system.ts'
import { brokerRules } from './rules.ts'
import { waterfallEffect } from './waterfall-effect.ts'

/** Puts the broker's domain together; `disclosures` says which text stands on the screen. */
export function brokerDomain(parts: {
  readonly disclosures: DisclosureRegistry
}): Domain<BrokerState> {
  const events = {
    ...projectAndContactEvents,
    ...customerJourneyEvents,
    ...applicationDetailEvents,
    present_disclosure: presentDisclosure(parts.disclosures),
    ...evidenceEvents,
    ...applicationEvents,
    ...lifecycleEvents,
    ...systemEvents,
  } satisfies Record<BrokerEventType | BrokerSystemType, AnyEventType<BrokerState>>
  return broker.domain({
    name: 'broker',
    initial: NO_CASE,
    events,
    rules: brokerRules,
    effects: [waterfallEffect],
  })
}
