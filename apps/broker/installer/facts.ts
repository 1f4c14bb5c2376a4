import { membersOf } from 'throughline/agui'
import type { LogRecord } from 'throughline/log'
import type { Actor } from '../../kit/index.ts'
import { actorOf, money, number, percent } from '../../kit/index.ts'
import type { InstallerCase } from '../case/case-view.ts'
import { WORDS } from './words.ts'

/** Where a fact comes from: the newest record that carries it, or the rule or system that set it. */
export interface FactSource {
  readonly actor: Actor
  readonly ts: number | undefined
}

export interface Fact {
  readonly name: keyof typeof WORDS.fact
  readonly value: string
  readonly source: FactSource
}

const CARRIERS: readonly string[] = ['record_project_facts', 'record_customer_contact']

/** The facts that are known, with their sources; pure. */
export function factsOf(view: InstallerCase, records: readonly LogRecord[]) {
  return {
    project: known({ retailerName: view.retailerName, ...projectValues(view) }, records),
    customer: known({ ...view.contact }, records),
  }
}

function projectValues({ project }: InstallerCase) {
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

type Values = Partial<Record<keyof typeof WORDS.fact, string | undefined>>

function known(values: Values, records: readonly LogRecord[]): readonly Fact[] {
  return FACT_NAMES.flatMap((name) => {
    const value = values[name]
    return value === undefined ? [] : [{ name, value, source: sourceOf(name, records) }]
  })
}

// The words name every fact, in the order in which they are shown.
const FACT_NAMES = Object.keys(WORDS.fact) as readonly (keyof typeof WORDS.fact)[]

function sourceOf(name: keyof typeof WORDS.fact, records: readonly LogRecord[]): FactSource {
  const carrier = records.findLast(
    ({ type, data }) => CARRIERS.includes(type) && membersOf(data)[name] !== undefined,
  )
  if (carrier) return { actor: actorOf(carrier.origin.source), ts: carrier.ts }
  return { actor: name === 'retailerName' ? 'system' : 'rule', ts: undefined }
}
