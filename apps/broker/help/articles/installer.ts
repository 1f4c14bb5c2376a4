import type { Article } from '../article.ts'

export const INSTALLER_ARTICLES: readonly Article[] = [
  {
    id: 'installer-six-facts',
    title: 'What do you need from me?',
    answer:
      'Six things: the customer’s first name, mobile and email, and what you install, the price and the deposit. Say or type them in any order.',
    asked: [
      'what information do you need',
      'what do I have to tell you',
      'where do I start',
      'how does this work',
      'what details',
      'which facts are missing',
    ],
  },
  {
    id: 'installer-time',
    title: 'How long does it take the customer?',
    answer:
      'Most customers need a few minutes on their own phone. They can stop and come back, so do not wait for them or hurry them.',
    asked: [
      'how long will it take',
      'how long does the customer need',
      'time to fill in',
      'how many questions for the customer',
      'is it quick',
    ],
  },
  {
    id: 'installer-decision',
    title: 'When is there a decision?',
    answer:
      'Lenders are asked as soon as the customer sends the application. This page shows you how far it is. You do not see why a lender decides.',
    asked: [
      'when do we know if it is approved',
      'how fast is the decision',
      'time for a lender to answer',
      'when will I hear',
      'why was it declined',
      'which lenders are there',
    ],
  },
  {
    id: 'installer-cost',
    title: 'What does it cost?',
    answer:
      'The customer pays us no fee. What a loan costs depends on the lender, and the customer sees the estimate on their own phone. I cannot quote a rate or a payment here.',
    asked: [
      'what does the finance cost',
      'interest rate for the customer',
      'what apr',
      'monthly payment quote for customer',
      'is there a fee for me',
      'what do you charge installers',
      'tell the customer about the price',
      'is the quote binding',
    ],
  },
  {
    id: 'installer-link',
    title: 'How does the customer get the link?',
    answer:
      'Show the code on this page: the customer points their phone’s camera at it. You can share or copy the link too. Nothing is sent from here.',
    asked: [
      'the QR code does not scan',
      'no smartphone',
      'send the link',
      'qr code',
      'customer has no smartphone',
      'no smartphone what now',
      'customer lost the link',
      'did they get the link',
      'text it to them',
      'link does not work',
    ],
  },
  {
    id: 'installer-after',
    title: 'What do I see after the hand-over?',
    answer:
      'You see how far the customer is: answering, with the lenders, or finished. You do not see their income, their support needs, their chat or why a lender decides.',
    asked: [
      'what happens after handover',
      'can I see the application',
      'can I see their income',
      'what can I see',
      'track the customer',
      'has the customer started',
      'did they finish',
    ],
  },
  {
    id: 'installer-changes',
    title: 'Can I change the price or the deposit later?',
    answer:
      'You can change the project until the customer starts on their phone. After that it stays as it is: begin a new case if it is wrong.',
    asked: [
      'change the price',
      'wrong mobile number',
      'correct the deposit',
      'edit after sending',
      'fix a mistake',
      'start again',
    ],
  },
  {
    id: 'installer-no-pressure',
    title: 'May I fill it in for the customer?',
    answer:
      'No. The customer answers on their own phone and presses the buttons themselves. Do not tell them what to answer. If they need help, Help on their page reaches a person.',
    asked: [
      'do it on my tablet',
      'fill it in for her',
      'answer the questions for him',
      'help the customer with the form',
      'can I sign for them',
      'use my phone',
    ],
  },
  {
    id: 'installer-personal',
    title: 'Can I give you their income or address?',
    answer:
      'No. Income, address, date of birth and the like belong on the customer’s own phone. I do not note them here.',
    asked: [
      'do you need their income',
      'give you the address',
      'date of birth needed',
      'their job',
      'do you want their postcode',
    ],
  },
  {
    id: 'installer-search',
    title: 'Is there a credit check?',
    answer:
      'Not on this page. The customer is asked on their own phone, and nobody searches their credit file before they say yes.',
    asked: [
      'credit check the customer',
      'does this affect their credit score',
      'soft or hard search',
      'will it hurt their credit',
    ],
  },
  {
    id: 'installer-approval',
    title: 'Will they be approved?',
    answer:
      'A lender decides that, and nobody here can tell you how it will. Do not promise the customer a loan or a rate.',
    asked: [
      'over 70',
      'chances of approval',
      'will she get it',
      'is he eligible',
      'who can apply',
      'does she have to own the house',
      'retired customer',
      'bad credit customer',
    ],
  },
  {
    id: 'installer-commission',
    title: 'Do I get commission?',
    answer:
      'I do not know what your firm has agreed with us. Ask your own office. Customers may ask who is paid for the introduction, and they must get a true answer.',
    asked: ['do I get paid', 'commission for me', 'introducer fee', 'what do we earn'],
  },
  {
    id: 'installer-payment',
    title: 'When do we get paid?',
    answer:
      'The lender pays after the customer has signed its agreement and its own checks are done. The lender’s terms with your firm say when.',
    asked: [
      'when is the money paid to us',
      'payout to the installer',
      'when can we book the installation',
      'who pays us',
      'settlement',
    ],
  },
  {
    id: 'installer-products',
    title: 'What can be financed?',
    answer:
      'Solar panels alone, panels with a battery, both with a car charger, or all of that with other work such as a heat pump. A battery alone cannot be financed here.',
    asked: [
      'which products',
      'can you finance a battery only',
      'ev charger',
      'heat pump finance',
      'scaffolding and extras included',
      'what can I sell on finance',
    ],
  },
  {
    id: 'installer-more-cases',
    title: 'Can I do two customers at once?',
    answer:
      'Each case is one customer. Start another case on the start page and open it beside this one: the cases do not mix.',
    asked: ['another customer', 'second case', 'several customers at once', 'next customer'],
  },
  {
    id: 'installer-stop',
    title: 'Can the application be stopped?',
    answer:
      'The customer can stop at any time, under Help on their own phone. Before the hand-over you can leave this page: nothing has been sent.',
    asked: ['cancel it', 'cancel the case', 'stop the application', 'delete this case'],
  },
]
