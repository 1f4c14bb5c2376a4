import type { Article } from '../article.ts'

export const LENDER_ARTICLES: readonly Article[] = [
  {
    id: 'is-it-a-loan',
    title: 'Is this a loan?',
    answer:
      'This is a loan, not a grant: if a lender says yes and you sign its agreement, you borrow money and repay it with interest. You need not borrow: ask your installer about other ways to pay.',
    asked: [
      'is this finance or a loan',
      'so this is a loan',
      'is this a loan',
      'am I borrowing money',
      'a loan or not',
      'what am I signing up for',
      'is it free solar',
      'is it a grant',
      'government grant for solar',
      'told me it is interest free',
      'government scheme',
      'hire purchase or lease',
      'subscription',
    ],
  },
  {
    id: 'broker',
    title: 'Are you a lender?',
    answer:
      'No, we are a credit broker. We pass your application to lenders. A lender decides and lends the money.',
    asked: [
      'use my own bank',
      'who are clearpath',
      'what is a credit broker',
      'who lends the money',
      'are you a bank',
      'what do you do',
      'who are you',
    ],
  },
  {
    id: 'lenders',
    title: 'Which lenders do you ask?',
    answer:
      'The notice about the credit search names the lenders, in the order in which they are asked. We ask one after the other, and stop when one makes an offer.',
    asked: [
      'who are the lenders',
      'which banks',
      'lender panel',
      'how many lenders',
      'do you compare the whole market',
      'can I choose the lender',
    ],
  },
  {
    id: 'regulation',
    title: 'Are you regulated?',
    answer:
      'Credit brokers in the UK must be authorised by the Financial Conduct Authority, the FCA. The notice about our service shows our firm and its number, which you can look up on the FCA’s register.',
    more: ['The FCA’s Consumer Duty says that firms must act to deliver good outcomes for you.'],
    asked: [
      'fca authorised',
      'financial conduct authority register',
      'are you legitimate',
      'is this company real',
      'consumer duty',
      'can I trust you',
    ],
  },
  {
    id: 'complaints',
    title: 'How do I complain?',
    answer:
      'Tell us what went wrong, in any way you like. We have eight weeks to give you our final answer. If you are not happy with it, or hear nothing by then, the Financial Ombudsman Service looks into it, free.',
    more: [
      'You usually have six months after our final answer to go to the Financial Ombudsman Service: financial-ombudsman.org.uk, 0800 023 4567.',
      'Complain to your installer about the work, and to the lender about its loan.',
    ],
    asked: [
      'make a complaint',
      'financial ombudsman',
      'not happy with the service',
      'I want to complain',
      'bad service',
      'who do I complain to',
    ],
  },
  {
    id: 'right-to-withdraw',
    title: 'Can I change my mind after I sign?',
    answer:
      'You have 14 days after you sign a regulated credit agreement to withdraw from it, without a reason. You then pay back what you borrowed and the interest so far.',
    more: [
      'Withdrawing from the loan does not cancel your order with the installer. That contract has its own rules on cancelling.',
    ],
    asked: [
      'cooling off period',
      'what are my rights',
      'can I get my money back',
      '14 days',
      'cancel after signing',
      'right to withdraw from the agreement',
      'back out of the loan',
    ],
  },
  {
    id: 'cancel-order',
    title: 'What if I cancel the installation?',
    answer:
      'Your order is a contract between you and your installer. If you ordered at home, you usually have 14 days to cancel it. Tell the lender too, so that the loan stops.',
    asked: [
      'cancel my order with the installer',
      'do not want the panels any more',
      'installer contract cancel',
      'installation cancelled',
    ],
  },
  {
    id: 'faulty',
    title: 'What if the system is faulty or never fitted?',
    answer:
      'Tell your installer first: they must put it right. If the lender and the installer are linked, section 75 of the Consumer Credit Act can make the lender responsible too. Do not just stop paying, and tell the lender early.',
    asked: [
      'panels do not work',
      'installer does a bad job',
      'bad work',
      'broken system',
      'installer went bust',
      'installer goes out of business',
      'never turned up to fit',
      'section 75',
      'poor workmanship',
      'roof leak after installation',
    ],
  },
  {
    id: 'warranty',
    title: 'What warranty do I get?',
    answer:
      'Warranties come from the maker and your installer, and not from us or the lender. Ask your installer what each covers, for how long, and what happens if a firm closes.',
    asked: [
      'the panels break',
      'warranty length',
      'guarantee on the panels',
      'battery warranty',
      'insurance backed guarantee',
      'maintenance and repairs',
    ],
  },
  {
    id: 'moving-house',
    title: 'What if I move house?',
    answer:
      'The loan stays yours and goes on when you move. Many people repay it when they sell. Tell the lender your new address, and ask a solicitor what to tell a buyer about the system.',
    asked: [
      'sell my house',
      'what happens if I sell up',
      'moving home',
      'does the loan stay with the house',
      'new owner takes the loan',
      'remortgage',
      'secured on my home',
    ],
  },
  {
    id: 'if-i-die',
    title: 'What happens to the loan if I die?',
    answer:
      'A loan in your name is repaid from what you leave. Your family does not take it over, unless somebody signed with you or gave a guarantee. They tell the lender, which must treat them fairly.',
    asked: [
      'what if I die',
      'loan after death',
      'do my children inherit the loan',
      'who pays when I am gone',
    ],
  },
  {
    id: 'secured',
    title: 'Is the loan secured on my home?',
    answer:
      'The lender’s agreement says whether the loan is secured on anything. Read that part before you sign, and ask the lender or a person here if it is not clear.',
    asked: [
      'could I lose my home',
      'is my house at risk',
      'lose my house',
      'secured loan',
      'charge on the house',
      'who owns the panels',
      'can they take the panels back',
    ],
  },
  {
    id: 'after-offer',
    title: 'What happens after I accept an offer?',
    answer:
      'The lender makes its last checks and sends you its own agreement. Read it, and sign it only if you are happy with it. Nothing binds you before you sign.',
    asked: [
      'next steps after accepting',
      'when do I sign',
      'when is the money paid',
      'when will it be installed',
      'do I get the money or the installer',
      'agreement documents',
    ],
  },
]
