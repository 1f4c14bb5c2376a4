import { Journey, handOver } from '../../apps/broker/journeys/journey.fixture.ts'
import type { ServedBroker } from '../../apps/broker/journeys/served-broker.fixture.ts'
import { CANARIES as C } from './canaries.fixture.ts'

const NAMED = {
  firstName: C.firstName,
  lastName: C.lastName,
  email: C.email,
  emailCopy: C.emailCopy,
  fullName: C.fullName,
  dateOfBirth: C.dateOfBirth,
  postcode: C.postcode,
  addressLine1: C.addressLine1,
  addressLine2: C.addressLine2,
  town: C.town,
  county: C.county,
  income: C.income,
  outgoings: C.outgoings,
  commitments: C.commitments,
  vulnerability: C.vulnerability,
  withdrawal: C.withdrawal,
}
const words = (side: string, count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `${side} ${at}`,
      `${side}word${at}of${'qxz'[at % 3]}`,
    ]),
  )
const SAID = { installer: words('installer', 22), customer: words('customer', 22) }
/** 60 values that are personal, in each place that a person may put one. */
export const PLANTED = { ...NAMED, ...SAID.installer, ...SAID.customer }

/** A case from the first sentence to a withdrawal, with a planted value wherever there is something personal. */
export async function plantedJourney(url: string): Promise<Journey> {
  const journey = await Journey.start({ url } as ServedBroker)
  for (const word of Object.values(SAID.installer)) await journey.say('installer', word)
  await handOver(journey)
  const { firstName, lastName, email } = C
  await journey.turn('customer', { isFirstTurn: true })
  for (const word of Object.values(SAID.customer).slice(0, 20)) await journey.say('customer', word)
  await journey.present('service_status')
  const adult = { isOver18: true, isUkResident: true, isHomeowner: true, isEmployed: true }
  await journey.click(
    ['record_customer_contact', { firstName, lastName, email }],
    ['acknowledge_disclosure', { id: 'service_status' }],
    ['record_eligibility', adult],
    ['record_provisional_quote', { termMonths: 120 }],
    ['record_email_preference', { wantsEmailCopy: true, email: C.emailCopy }],
    [
      'record_personal_facts',
      {
        fullName: C.fullName,
        dateOfBirth: C.dateOfBirth,
        postcode: C.postcode,
        addressLine1: C.addressLine1,
        addressLine2: C.addressLine2,
        town: C.town,
        county: C.county,
        propertyType: 'Terraced',
        residentialStatus: 'Mortgaged',
      },
    ],
    [
      'record_financial_facts',
      {
        employmentStatus: 'Employed',
        annualIncome: Number(C.income),
        monthlyOutgoings: Number(C.outgoings),
        existingCommitments: C.commitments,
      },
    ],
    ['record_vulnerability_indicators', { indicators: [], note: C.vulnerability }],
  )
  for (const word of Object.values(SAID.customer).slice(20)) await journey.say('customer', word)
  await journey.click(['withdraw', { reason: C.withdrawal }])
  return journey
}
