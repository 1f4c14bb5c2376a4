import type { Criterion } from './eligibility-words.ts'

/** Texts of the pages before an application begins and after it ends. */
export const ENDING_WORDS = {
  handoff: {
    title: 'Your installer is still filling this in',
    lead: 'This page goes on by itself when they are ready. You can also close it and come back.',
  },
  next: 'What you can do next',
  help: 'Free help with money',
  person: 'Speak to a person',
  reference: {
    name: 'Reference',
    on: (when: string) => `${when}.`,
    keep: 'Keep it for when you call or write.',
  },
  declined: {
    title: 'None of our lenders can offer you this loan',
    /** If the customer has refused a lender’s offer. */
    titleAfterOffer: 'No other lender can offer you this loan',
    saidNo: (lender: string) => `You said no to the offer from ${lender}.`,
    lead: (retailer: string) =>
      `You have no loan and owe nothing. Your deposit and order are between you and ${retailer}.`,
    retailer: (retailer: string) => `Talk to ${retailer}`,
    retailerMeans:
      'They know there is no loan, but not why. Ask about a smaller system or another way to pay.',
    file: 'See your credit file, free',
    fileMeans: 'Ask Experian, Equifax or TransUnion. They must look into anything that is wrong.',
    advice: 'Take advice before you apply elsewhere',
    adviceMeans: 'Each application for credit can leave a mark on your file.',
    why: 'Ask why',
    whyQuestion: 'Why was I declined?',
    whyMeans: 'We cannot show you a lender’s reasons here. Each lender can tell you its own.',
  },
  ineligible: {
    title: 'You cannot apply through us today',
    reasons: {
      isOver18: 'Our lenders need you to be 18 or over. You told us you are not.',
      isUkResident: 'Our lenders need you to live in the UK. You told us you do not.',
      isHomeowner: 'Our lenders need you to own the home. You told us you do not.',
      isEmployed: 'Our lenders need you to have a regular income. You told us you do not.',
    } satisfies Record<Criterion, string>,
    notCredit: 'This is not a decision about your credit.',
    noSearch: 'No search was made and no lender saw your answers.',
    wrong: 'Was that the wrong answer?',
    wrongMeans: (retailer: string) => `Ask ${retailer} to start again. It takes two minutes.`,
    other: 'Is there another way to pay?',
    otherMeans: (retailer: string) => `Ask ${retailer} what else they offer.`,
  },
  withdrawn: {
    title: 'You withdrew your application',
    beforeLenders: 'Nothing was sent to a lender and no search was made. You owe nothing.',
    afterLenders: 'Lenders had been asked before you withdrew. You have no loan and owe nothing.',
    change: 'If you change your mind',
    changeMeans: (retailer: string) =>
      `Ask ${retailer} for a new link. You can apply again whenever you like.`,
  },
  finished: {
    title: 'This application is finished',
    lead: 'There is nothing more to do here.',
    help: 'If you have a question',
    helpMeans: 'A person can tell you what happened and what you can do.',
  },
}
