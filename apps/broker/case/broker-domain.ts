import type { AnyEventType, Domain } from 'throughline'
import type { DisclosureRegistry } from '../disclosures/index.ts'
import { NO_CASE, broker } from './case-domain.ts'
import type { BrokerState } from './case-domain.ts'
import type { BrokerAuditType, BrokerEventType, BrokerSystemType } from './event-names.ts'
import { applicationDetailEvents } from './events/application-details.ts'
import { applicationEvents, submitApplication } from './events/application.ts'
import { customerJourneyEvents } from './events/customer-journey.ts'
import { auditEvents } from './events/audit.ts'
import { evidenceEvents, presentDisclosure } from './events/disclosures-and-consents.ts'
import { lifecycleEvents } from './events/lifecycle.ts'
import { projectAndContactEvents } from './events/project-and-contact.ts'
import { systemEvents } from './events/system.ts'
import { idleDeadline } from './idle-deadline.ts'
import { PERSONAL_IN_CASE } from './personal-data.ts'
import { brokerRules } from './rules.ts'
import { submitDeadline } from './submit-deadline.ts'
import { waterfallEffect } from './waterfall-effect.ts'

export interface BrokerDomainParts {
  /** The texts that the pages show. */
  readonly disclosures: DisclosureRegistry
  /** The names of the lenders that an application goes to, in their order. */
  readonly lenders?: readonly string[]
  /** The length of a silence at which `journey_idle` is recorded; without it, it never is. */
  readonly idleMs?: number | undefined
}

/** Puts the broker's domain together. */
export function brokerDomain({
  disclosures,
  lenders,
  idleMs,
}: BrokerDomainParts): Domain<BrokerState> {
  const events = {
    ...projectAndContactEvents,
    ...customerJourneyEvents,
    ...applicationDetailEvents,
    present_disclosure: presentDisclosure(disclosures),
    ...evidenceEvents,
    submit_application: submitApplication(lenders),
    ...applicationEvents,
    ...lifecycleEvents,
    ...auditEvents,
    ...systemEvents,
  } satisfies Record<
    BrokerEventType | BrokerSystemType | BrokerAuditType,
    AnyEventType<BrokerState>
  >
  return broker.domain({
    name: 'broker',
    initial: NO_CASE,
    events,
    rules: brokerRules,
    effects: [waterfallEffect],
    personal: PERSONAL_IN_CASE,
    deadlines: [submitDeadline, ...(idleMs === undefined ? [] : [idleDeadline(idleMs)])],
  })
}
