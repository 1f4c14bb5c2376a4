import type { EmploymentStatus, PropertyType, ResidentialStatus } from '../../case/state.ts'

/** The texts of the application form. */
export const WORDS = {
  parts: {
    about: {
      title: 'About you',
      lead: 'Lenders need this to decide. We send nothing to them yet.',
    },
    home: { title: 'Where do you live?' },
    money: { title: 'Your work and money' },
  },
  fields: {
    fullName: {
      label: 'Full name',
      hint: 'As it is on your bank statement',
      missing: 'Enter your full name',
    },
    dateOfBirth: {
      label: 'Date of birth',
      hint: 'For example, 31 3 1980',
      missing: 'Enter your date of birth',
      incomplete: 'Enter the day, the month and the year you were born',
      shortYear: 'Enter a year with 4 numbers, such as 1984',
      unreal: 'Enter a real date of birth',
      young: 'You must be 18 or over to apply',
      day: 'Day',
      month: 'Month',
      year: 'Year',
    },
    mobile: {
      label: 'Mobile number',
      missing: 'Enter a UK mobile number, such as 07700 900 123',
    },
    postcode: { label: 'Postcode', missing: 'Enter a full UK postcode, such as SN1 1AA' },
    address: { label: 'Address', missing: 'Choose your address, or type it' },
    addressLine1: {
      label: 'Address line 1',
      missing: 'Enter the first line of your address',
    },
    addressLine2: { label: 'Address line 2' },
    town: { label: 'Town or city', missing: 'Enter your town or city' },
    county: { label: 'County' },
    propertyType: { label: 'Type of home' },
    residentialStatus: { label: 'How you own it' },
    employmentStatus: {
      label: 'How do you earn your income?',
      missing: 'Choose how you earn your income',
    },
    annualIncome: {
      label: 'Income in a year, before tax',
      missing: 'Enter your income in a year as a number, such as 32000',
    },
    monthlyOutgoings: {
      label: 'What you spend in a month',
      hint: 'Rent or mortgage, bills, food, travel and other credit',
      missing: 'Enter what you spend in a month as a number, such as 1200',
      aboveIncome:
        'You spend more in a month than your income brings in. Check both amounts. If they are right, go on.',
    },
    existingCommitments: {
      label: 'Other loans',
      hint: 'In your own words. No card or account numbers.',
    },
  },
  propertyTypes: {
    Detached: 'Detached',
    'Semi-detached': 'Semi-detached',
    Terraced: 'Terraced',
    Flat: 'Flat',
    Bungalow: 'Bungalow',
  } satisfies Record<PropertyType, string>,
  residentialStatuses: {
    Owner: 'Outright',
    Mortgaged: 'With a mortgage',
    Tenant: 'Rented',
    Other: 'Another way',
  } satisfies Record<ResidentialStatus, string>,
  employmentStatuses: {
    Employed: 'Employed',
    'Self-employed': 'Self-employed',
    Retired: 'Retired',
    Unemployed: 'Not working',
    Other: 'Another way',
  } satisfies Record<EmploymentStatus, string>,
  optional: (label: string) => `${label} (optional)`,
  /** Before an amount that is typed. */
  sign: '£',
  continue: 'Continue',
  toldBy: (retailer: string) => `${retailer} told us this.`,
  find: 'Find',
  finding: 'Looking for addresses',
  pick: 'Choose your address',
  madeUp: 'These are made up, for the demonstration.',
  typeInstead: 'Type the address instead',
  noAddresses: 'We found no address there. Type yours below.',
  lookupOffline: 'We look up addresses when you are connected. You can type yours below.',
  lookupFailed: 'We could not look up addresses. Type yours below.',
  toCheck: 'Check your answers',
  check: {
    title: 'Check your answers',
    lead: 'Saving these makes no credit search.',
    next: 'Next: we ask if you want any support, and then if lenders may check your credit file.',
    save: 'These are right. Save them',
    notGiven: 'Not given',
    rows: {
      work: 'Work',
      income: 'Income in a year',
      beforeTax: (pounds: string) => `${pounds} before tax`,
      spending: 'Spending in a month',
      otherLoans: 'Other loans',
    },
  },
}
