import { membersOf } from 'throughline/client'
import type { LogRecord } from 'throughline/client'
import type { Actor } from '../../kit/index.ts'
import { actorOf, money, number, percent } from '../../kit/index.ts'
import type { InstallerCase } from '../case/case-view.ts'
import type { ProjectFacts } from '../case/state.ts'
import { DEFAULT_RETAILER } from '../routes/default-retailer.ts'
import { WORDS } from './words.ts'

/** The source of a fact: its newest record, or, without one, what set it. */
export type FactSource =
  | { readonly from: 'record'; readonly actor: Actor; readonly ts: number }
  | { readonly from: 'rule' | 'opening' | 'default' }

export interface Fact {
  readonly name: FactName
  readonly value: string
  readonly source: FactSource
}

const CARRIERS: readonly string[] = ['record_project_facts', 'record_customer_contact']

/** The facts that are known, with their sources; pure. */
export function factsOf(view: InstallerCase, records: readonly LogRecord[]) {
  const { retailerName, project, contact } = view
  const carriers = records.filter(({ type }) => CARRIERS.includes(type))
  const sourceOf = (name: FactName): FactSource => {
    const carrier = isDeposit(name)
      ? saidDeposit(name, project, carriers)
      : carriers.findLast((record) => carries(record, name))
    if (carrier) {
      return { from: 'record', actor: actorOf(carrier.origin), ts: carrier.ts }
    }
    if (name !== 'retailerName') return { from: 'rule' }
    return { from: retailerName === DEFAULT_RETAILER ? 'default' : 'opening' }
  }
  return {
    project: known({ retailerName, ...projectValues(project) }, sourceOf),
    customer: known({ ...contact }, sourceOf),
  }
}

function projectValues(project: ProjectFacts) {
  const { projectValue, depositAmount, depositPct, netLoanAmount } = project
  const { productSpec, systemKwp, batteryKwh } = project
  return {
    projectValue: shown(projectValue, money),
    depositAmount: shown(depositAmount, money),
    depositPct: shown(depositPct, percent),
    netLoanAmount: shown(netLoanAmount, money),
    productSpec: productSpec && WORDS.products[productSpec],
    systemKwp: shown(systemKwp, (size) => WORDS.kwp(number(size))),
    batteryKwh: shown(batteryKwh, (size) => WORDS.kwh(number(size))),
  }
}

function shown(value: number | undefined, show: (value: number) => string): string | undefined {
  return value === undefined ? undefined : show(value)
}

type FactName = keyof typeof WORDS.fact
type Values = Partial<Record<FactName, string | undefined>>

function known(values: Values, sourceOf: (name: FactName) => FactSource): readonly Fact[] {
  return FACT_NAMES.flatMap((name) => {
    const value = values[name]
    return value === undefined ? [] : [{ name, value, source: sourceOf(name) }]
  })
}

// The words name every fact, in the order in which they are shown.
const FACT_NAMES = Object.keys(WORDS.fact) as readonly FactName[]

const DEPOSIT = ['depositAmount', 'depositPct'] as const
type DepositFact = (typeof DEPOSIT)[number]

function isDeposit(name: FactName): name is DepositFact {
  return DEPOSIT.some((each) => each === name)
}

/**
 * The record in which this form of the deposit was said. Whatever named the deposit last counts; what
 * it did not name, or what the case holds otherwise than it was named, was worked out.
 */
function saidDeposit(
  name: DepositFact,
  project: ProjectFacts,
  carriers: readonly LogRecord[],
): LogRecord | undefined {
  const latest = carriers.findLast((record) => DEPOSIT.some((each) => carries(record, each)))
  return latest && membersOf(latest.data)[name] === project[name] ? latest : undefined
}

function carries({ data }: LogRecord, name: FactName): boolean {
  return membersOf(data)[name] !== undefined
}
