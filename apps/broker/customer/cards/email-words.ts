/** Texts of the choice about a copy by email. */
export const EMAIL_WORDS = {
  title: 'Shall we email you this estimate?',
  lead: 'It does not change your application. In this demonstration we only record your choice and send no email.',
  address: 'Email address',
  from: (retailer: string) => `${retailer} told us this. Change it if it is wrong.`,
  wanted: 'Yes, email it',
  unwanted: 'No, thanks',
  invalid: 'Enter an email address, such as name@example.com',
}
