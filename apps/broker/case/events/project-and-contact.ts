import { z } from 'zod'
import { CUSTOMER_PAGE, INSTALLER_MODEL, INSTALLER_PAGE } from '../authority.ts'
import { broker, changeCase } from '../case-domain.ts'
import { missingForLink } from '../gates.ts'
import { normaliseMobile } from '../mobile.ts'
import { BATTERY_KWH_MAX, NAME_LENGTH_MAX, PROJECT_POUNDS_MAX, SYSTEM_KWP_MAX } from '../limits.ts'
import { blankLine, emailAddress, line, pounds } from '../payload-fields.ts'
import { PERSONAL_MEMBERS } from '../personal-data.ts'
import { depositSaidIn, mergeProject } from '../project.ts'
import { refuse, refuseLocked } from '../refusals.ts'
import { PRODUCT_SPECS } from '../state.ts'
import type { CaseState, CustomerContact } from '../state.ts'

const MOBILE_INPUT_LENGTH_MAX = 24

const projectFacts = z
  .object({
    projectValue: pounds(PROJECT_POUNDS_MAX).exactOptional(),
    depositAmount: pounds(PROJECT_POUNDS_MAX).exactOptional(),
    depositPct: z.number().min(0).max(100).exactOptional(),
    productSpec: z.enum(PRODUCT_SPECS).exactOptional(),
    systemKwp: z.number().min(0).max(SYSTEM_KWP_MAX).exactOptional(),
    batteryKwh: z.number().min(0).max(BATTERY_KWH_MAX).exactOptional(),
    retailerName: line(NAME_LENGTH_MAX).exactOptional(),
  })
  .refine(({ depositAmount = 0, projectValue = Infinity }) => depositAmount <= projectValue, {
    path: ['depositAmount'],
    message: 'must not exceed the project value',
  })

const customerContact = z.object({
  firstName: line(NAME_LENGTH_MAX).exactOptional(),
  /** Empty: the last name that was given is dropped. */
  lastName: blankLine(NAME_LENGTH_MAX).exactOptional(),
  email: emailAddress().exactOptional(),
  mobile: line(MOBILE_INPUT_LENGTH_MAX)
    .refine(normaliseMobile, 'must be a UK mobile number')
    .exactOptional(),
})

const anyMembers = z.record(z.string(), z.json())

/** `keepsAmount`: of version 1, where a known amount stayed when either of the two figures was given. */
type ProjectSaid = z.infer<typeof projectFacts> & { readonly keepsAmount?: true }

export const projectAndContactEvents = {
  record_project_facts: broker.event({
    schema: projectFacts,
    by: [INSTALLER_MODEL, INSTALLER_PAGE],
    guard: ({ case: state, depositSaidAs }, data) => {
      const closed = refuseLocked(state) ?? refuseOnceQuoted(state)
      if (closed) return closed
      const merged = mergeProject(state.project, data, depositSaidAs)
      const { depositAmount = 0, projectValue = Infinity } = merged
      if (depositAmount <= projectValue) return undefined
      return refuse('precondition', 'The deposit is more than the project value')
    },
    complete: (data): ProjectSaid => data,
    reduce: (state, { retailerName = state.case.retailerName, keepsAmount, ...facts }, fact) => {
      const project = mergeProject(state.case.project, facts, state.depositSaidAs)
      const depositSaidAs = keepsAmount ? undefined : depositSaidIn(facts)
      const known = depositSaidAs ? { ...state, depositSaidAs } : state
      return changeCase(known, { project, retailerName }, fact)
    },
    version: 2,
    upcasts: [(data) => ({ ...anyMembers.parse(data), keepsAmount: true })],
  }),
  record_customer_contact: broker.event({
    schema: customerContact,
    // The customer's page sends the mobile number when the installer did not have it.
    by: [INSTALLER_MODEL, INSTALLER_PAGE, CUSTOMER_PAGE],
    guard: ({ case: state }) => refuseLocked(state),
    complete: ({ mobile, ...contact }) => {
      const normalised = mobile && normaliseMobile(mobile)
      return { ...contact, ...(normalised && { mobile: normalised }) }
    },
    reduce: (state, contact, fact) =>
      changeCase(state, { contact: mergeContact(state.case.contact, contact) }, fact),
    personal: PERSONAL_MEMBERS.record_customer_contact,
  }),
  generate_customer_link: broker.event({
    schema: z.object({}),
    by: [INSTALLER_MODEL, INSTALLER_PAGE],
    guard: ({ case: state }) => refuseLocked(state) ?? refuseBeforeLink(state),
    reduce: (state, _, fact) => changeCase(state, { status: 'awaiting_customer' }, fact),
  }),
  installer_handoff_complete: broker.event({
    schema: z.object({}),
    by: [INSTALLER_MODEL, INSTALLER_PAGE],
    guard: ({ case: state }) =>
      state.installerHandoffComplete ? undefined : (refuseLocked(state) ?? refuseBeforeLink(state)),
    reduce: (state, _, fact) => {
      if (state.case.installerHandoffComplete) return state
      const changes = { installerHandoffComplete: true, status: 'awaiting_customer' } as const
      return changeCase(state, changes, fact)
    },
  }),
}

function mergeContact(known: CustomerContact, said: CustomerContact): CustomerContact {
  const merged = { ...known, ...said }
  if (merged.lastName === '') delete merged.lastName
  return merged
}

function refuseOnceQuoted({ status, provisionalQuote }: CaseState) {
  const early = status === 'intake' || status === 'awaiting_customer'
  if (early && !provisionalQuote) return undefined
  return refuse('precondition', 'The customer has started: the project no longer changes')
}

function refuseBeforeLink(state: CaseState) {
  if (state.status !== 'intake' && state.status !== 'awaiting_customer') {
    return refuse('precondition', 'The customer has already started')
  }
  const missing = missingForLink(state)
  if (missing.length === 0) return undefined
  return refuse('precondition', `Still missing before the hand-off: ${missing.join(', ')}`)
}
