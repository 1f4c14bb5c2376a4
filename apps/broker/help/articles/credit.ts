import type { Article } from '../article.ts'

export const CREDIT_ARTICLES: readonly Article[] = [
  {
    id: 'credit-search',
    title: 'What are soft and hard searches?',
    answer:
      'A soft search is one that only you can see on your credit file. A hard search is one that other lenders can see. The notice about the credit search says which is used and when.',
    asked: [
      'credit check',
      'soft search',
      'whats a soft search',
      'hard search footprint',
      'is this a credit check',
      'do you check my credit file',
      'do you look at my credit report',
      'will it leave a mark',
      'does the search show up',
    ],
  },
  {
    id: 'credit-score',
    title: 'Does applying change my credit score?',
    answer:
      'A soft search does not change your score. A hard search can lower it for a while. We do not see your score: Experian, Equifax and TransUnion each show you your own, free.',
    asked: [
      'affect my credit score',
      'will this affect my mortgage',
      'credit rating hurt',
      'what is my credit score',
      'lower my score',
      'do you see my score',
    ],
  },
  {
    id: 'bad-credit',
    title: 'Can I apply with a poor credit history?',
    answer:
      'You can apply. Each lender makes its own decision, and nobody here can say what it will be. Look at your credit file first: you can ask for mistakes to be put right.',
    asked: [
      'bad credit',
      'poor credit history',
      'ccj',
      'county court judgment',
      'missed payments in the past',
      'default on my file',
      'been bankrupt',
      'mistake on my credit file',
      'iva',
    ],
  },
  {
    id: 'approval',
    title: 'Will I be accepted?',
    answer:
      'A lender decides that once it is asked, and nobody here can tell you how it will. It looks at your credit file, your income, what you spend and how much you borrow.',
    asked: [
      'will I be accepted',
      'will I get accepted',
      'be accepted for the loan',
      'get accepted',
      'chances of getting the loan',
      'am I eligible',
      'guaranteed approval',
      'can I get this loan',
    ],
  },
  {
    id: 'eligibility',
    title: 'Who can apply?',
    answer:
      'The lenders ask four things of everybody: your age, that you live in the UK, your home and your work. The card "Can you apply?" asks about them, and nobody looks at your credit file for it.',
    asked: [
      'I rent my flat',
      'requirements to apply',
      'do I have to own my home',
      'do I need to own my house to apply',
      'minimum age',
      'can tenants apply',
      'retired people apply',
      'pensioner',
      'self employed apply',
      'not a uk resident',
      'homeowner only',
    ],
  },
  {
    id: 'outgoings',
    title: 'What counts as outgoings?',
    answer:
      'Outgoings are what you spend in a usual month: rent or mortgage, bills, food, travel, childcare and other loans. Count your share, and do not count this loan.',
    more: ['Lenders use it to check that the payments leave you enough to live on.'],
    asked: [
      'monthly outgoings',
      'what do I put for spending',
      'do I include food and bills',
      'household expenses',
      'do outgoings include mortgage',
      'regular commitments',
    ],
  },
  {
    id: 'income',
    title: 'What income do I put in?',
    answer:
      'Put your income for a year before tax. Count your own pay, pension and benefits, and not those of other people in your home.',
    asked: [
      'annual income before tax',
      'gross or net salary',
      'does my pension count',
      'include my partner’s wages',
      'benefits as income',
      'overtime and bonus',
      'universal credit',
    ],
  },
  {
    id: 'why-ask',
    title: 'Why do you ask about my income and spending?',
    answer:
      'Lenders must check that you can afford the loan without hardship. Your income and outgoings are what they check it with.',
    asked: [
      'why do you need my income',
      'why do you need to know what I earn',
      'why do you want to know what I spend',
      'affordability check',
      'why so many questions',
      'why do you need my date of birth',
    ],
  },
  {
    id: 'declined',
    title: 'Why did a lender say no?',
    answer:
      'We are not told a lender’s reasons. You can ask the lender for its main reason, and whether it used a credit file. You can see your own file, free, from Experian, Equifax and TransUnion.',
    asked: [
      'why was I declined',
      'turned down reason',
      'rejected loan application',
      'refused by the bank',
      'appeal a decision',
    ],
  },
  {
    id: 'applying-again',
    title: 'Can I apply again?',
    answer:
      'You can, and each application can leave a mark on your credit file. It may help to look at your file and get free advice first.',
    asked: [
      'apply again if they say no',
      'can I apply again',
      'apply again',
      'apply again soon',
      'try again after a no',
      'apply again later',
      'reapply',
      'try another lender',
      'second application',
      'how soon can I reapply',
    ],
  },
  {
    id: 'counter-offer',
    title: 'What is a different offer?',
    answer:
      'A lender may offer other terms than you asked for, such as a longer time or another rate. The card shows what changes in pounds and years. You may take it or ask the next lender, and neither answer is wrong.',
    asked: [
      'counter offer',
      'lender offered different terms',
      'why is the offer different from the quote',
      'higher rate than quoted',
      'ask the next lender',
    ],
  },
  {
    id: 'quote',
    title: 'Is the quote an offer?',
    answer:
      'The quote is an estimate and not an offer. A lender may approve it, offer something different or decline.',
    asked: [
      'indicative quote',
      'is this the final rate',
      'estimate binding',
      'real offer',
      'is this price guaranteed',
      'representative example',
    ],
  },
]
