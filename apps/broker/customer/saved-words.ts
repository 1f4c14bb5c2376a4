/** The names of the customer's own records once they are saved. */
export const SAVED_WORDS = {
  acknowledge_disclosure: {
    service_status: 'you understand who we are',
    pre_contract_summary: 'you confirmed. We are sending it',
    /** The same, once lenders are being asked. */
    sent: 'you confirmed, and we sent it',
  },
  record_eligibility: 'your four answers',
  record_provisional_quote: (monthly: string, term: string) => `${monthly} a month for ${term}`,
  record_email_preference: 'your choice about email',
  record_personal_facts: 'your details',
  record_financial_facts: 'your details',
  record_customer_contact: 'your contact details',
  record_vulnerability_indicators: 'your answer about support',
  capture_consent: 'your credit search choice',
  accept_counter_offer: 'you accepted the offer',
  refuse_counter_offer: 'you said no to the offer',
  select_offer: 'you accepted the offer',
  withdraw: 'you withdrew your application',
  case_complete: 'your application is finished',
}
