import type { DirectEvent } from '../../kit/index.ts'
import { EMAIL_LENGTH_MAX, NAME_LENGTH_MAX, PROJECT_POUNDS_MAX } from '../case/limits.ts'
import { normaliseMobile } from '../case/mobile.ts'
import type { Fact } from './facts.ts'
import { WORDS } from './words.ts'

/** Facts that the link needs, in the order of the page. */
export const NEEDED = {
  customer: ['firstName', 'mobile', 'email'],
  project: ['productSpec', 'projectValue', 'deposit'],
} as const
export type Needed = (typeof NEEDED)['customer' | 'project'][number]

/** The known fact of a row. A deposit is shown as the amount and its share, as far as they are known. */
export function neededFact(name: Needed, facts: readonly Fact[]): Fact | undefined {
  if (name !== 'deposit') return facts.find((fact) => fact.name === name)
  const amount = facts.find((fact) => fact.name === 'depositAmount')
  const share = facts.find((fact) => fact.name === 'depositPct')
  if (!amount || !share) return amount ?? share
  const { source } = share.source.from === 'record' ? share : amount
  return { name: 'depositAmount', value: `${amount.value} (${share.value})`, source }
}

/** The event that records the text of a row, or nothing when it cannot be that fact. Pure. */
export function typedEvent(name: Needed, typed: string): DirectEvent | undefined {
  const text = typed.trim()
  const data = READ[name](text)
  if (data === undefined) return undefined
  const isContact = NEEDED.customer.some((each) => each === name)
  return { type: isContact ? 'record_customer_contact' : 'record_project_facts', data }
}

const READ: Record<Needed, (text: string) => DirectEvent['data'] | undefined> = {
  firstName: (text) =>
    text !== '' && text.length <= NAME_LENGTH_MAX ? { firstName: text } : undefined,
  mobile(text) {
    const mobile = normaliseMobile(text)
    return mobile === undefined ? undefined : { mobile }
  },
  // The gate checks the rest of an address.
  email: (text) =>
    /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) && text.length <= EMAIL_LENGTH_MAX
      ? { email: text }
      : undefined,
  productSpec: (text) => (Object.hasOwn(WORDS.products, text) ? { productSpec: text } : undefined),
  projectValue(text) {
    const projectValue = pounds(text)
    return projectValue === undefined ? undefined : { projectValue }
  },
  deposit(text) {
    if (!text.endsWith('%')) {
      const depositAmount = pounds(text)
      return depositAmount === undefined ? undefined : { depositAmount }
    }
    const depositPct = figure(text.slice(0, -1))
    return depositPct === undefined || depositPct > 100 ? undefined : { depositPct }
  },
}

function pounds(text: string): number | undefined {
  const value = figure(text.replace('£', ''))
  return value === undefined || value > PROJECT_POUNDS_MAX ? undefined : value
}

function figure(text: string): number | undefined {
  const digits = text.replaceAll(/[\s,]/g, '')
  return /^\d{1,9}(?:\.\d{1,2})?$/.test(digits) ? Number(digits) : undefined
}
