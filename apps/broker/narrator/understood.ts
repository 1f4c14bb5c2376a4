import type { CustomerContact, ProductSpec, ProjectFacts } from '../case/index.ts'
import type { Extraction } from './extraction.ts'
import { inPercent, inPounds } from './figures.ts'

/** The products in spoken words. */
export const PRODUCTS: Readonly<Record<ProductSpec, string>> = {
  panels_only: 'panels only',
  panels_battery: 'panels with battery',
  panels_battery_ev: 'panels with battery and EV charger',
  panels_battery_ev_other: 'panels with battery, EV charger and other work',
}

/** Reads the facts back as they were understood: whether they are recorded is not known yet. */
export function tellUnderstood({ project, retailer, contact }: Extraction): readonly string[] {
  const { retailerName } = retailer
  const firm = retailerName === undefined ? [] : [`${retailerName} as the retailer`]
  const facts = [...firm, ...tellProject(project), ...tellContact(contact)]
  return facts.length === 0 ? [] : [`Understood: ${facts.join(', ')}.`]
}

function tellProject(project: ProjectFacts): readonly string[] {
  const { projectValue, productSpec, systemKwp, batteryKwh } = project
  return [
    ...(projectValue === undefined ? [] : [inPounds(projectValue)]),
    ...tellDeposit(project),
    ...(productSpec === undefined ? [] : [PRODUCTS[productSpec]]),
    ...(systemKwp === undefined ? [] : [`${systemKwp} kWp`]),
    ...(batteryKwh === undefined ? [] : [`${batteryKwh} kWh battery`]),
  ]
}

function tellDeposit({ depositAmount, depositPct }: ProjectFacts): readonly string[] {
  if (depositAmount === 0 || depositPct === 0) return ['no deposit']
  if (depositAmount !== undefined) return [`${inPounds(depositAmount)} deposit`]
  return depositPct === undefined ? [] : [`${inPercent(depositPct)} deposit`]
}

function tellContact({ firstName, lastName, email, mobile }: CustomerContact): readonly string[] {
  const name = firstName === undefined && lastName ? `surname ${lastName}` : undefined
  const full = [firstName, lastName].filter(Boolean).join(' ')
  const dropped = lastName === '' ? 'no surname' : ''
  return [name ?? full, dropped, email ?? '', mobile ?? ''].filter((fact) => fact !== '')
}
