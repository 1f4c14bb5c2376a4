import type { Article } from '../article.ts'

export const APPLYING_ARTICLES: readonly Article[] = [
  {
    id: 'time-to-apply',
    title: 'How long does it take?',
    answer:
      'Most people need a few minutes. You can take longer: your answers are kept, and your link brings you back to where you were.',
    asked: [
      'how long to fill in',
      'how many steps',
      'how many questions are there',
      'time to finish the form',
    ],
  },
  {
    id: 'decision-time',
    title: 'When do I get a decision?',
    answer:
      'After you send your application we ask the lenders at once, one after the other. The page shows each answer as it comes. A lender can take longer, so you can close the page and come back.',
    asked: [
      'how fast is the decision',
      'how quickly do I get an answer',
      'when will I know',
      'waiting for the lender',
      'how long until I hear back',
      'still asking lenders',
    ],
  },
  {
    id: 'save-and-return',
    title: 'Can I finish later?',
    answer:
      'Press Save and come back, or close this page: what is recorded is kept, and your link opens it again.',
    asked: [
      'I closed the page by accident',
      'come back another day',
      'pause and do it later',
      'save my progress',
      'lost the link',
      'use another device',
      'can I use my phone',
      'battery is dying',
      'continue on my computer',
    ],
  },
  {
    id: 'change-answers',
    title: 'How do I change an answer?',
    answer:
      'Press Change beside an answer, under Your answers so far. You can change answers until you press Confirm and send.',
    asked: [
      'change my details',
      'correct a mistake',
      'how do I fix it',
      'fix a wrong answer',
      'put it right',
      'typed the wrong income',
      'wrong address',
      'edit my phone number',
      'change of name',
      'update email',
    ],
  },
  {
    id: 'joint-application',
    title: 'Can two people apply together?',
    answer:
      'One person applies here, and only their income counts. If your partner would be the better person to apply, ask your installer for a new link for them.',
    asked: [
      'can my daughter fill this in for me',
      'joint application',
      'apply with my wife',
      'apply with my husband',
      'both our incomes',
      'add my partner',
      'joint loan',
      'apply for my mum',
      'on behalf of someone else',
    ],
  },
  {
    id: 'stop',
    title: 'Can I stop my application?',
    answer:
      'You may stop at any time and without a reason. Under Help, Save and come back keeps your answers. Withdraw ends the application for good.',
    asked: [
      'cancel my application',
      'withdraw application',
      'leave the application',
      'do not want to go on',
      'stop now',
      'pull out',
      'delete my application',
    ],
  },
  {
    id: 'consent',
    title: 'Do I have to say yes to the credit search?',
    answer:
      'Without your yes no search is made and no lender is asked. You can leave it there, think it over or come back to the question.',
    asked: [
      'refuse the credit search',
      'say no to the search',
      'withdraw my consent',
      'consent to search',
      'what if I refuse',
    ],
  },
  {
    id: 'who-sees-data',
    title: 'Who sees my details?',
    answer:
      'We at the broker see what you answer. A lender gets it only once it is asked, after you say yes to the credit search and send your application. Your installer does not see your answers.',
    more: [
      'Lenders do not get this chat. They learn how many support needs you ticked, and not which.',
    ],
    asked: [
      'who sees my data',
      'who can see my information',
      'privacy',
      'do you share my information',
      'can the installer see my income',
      'is my data safe',
      'who reads this chat',
      'gdpr',
      'do you sell my details',
      'confidential',
    ],
  },
  {
    id: 'your-data',
    title: 'Can I see or delete my data?',
    answer:
      'You can ask us for a copy of what we hold about you, and to correct or delete it. We must keep some records for a time by law. Choose Speak to a person under Help.',
    asked: [
      'subject access request',
      'delete my data',
      'copy of my personal data',
      'how long do you keep my information',
      'right to be forgotten',
    ],
  },
  {
    id: 'ai-assistant',
    title: 'Am I talking to a person?',
    answer:
      'No. I am an AI assistant: I explain the steps and decide nothing. I can make mistakes. Speak to a person, under Help, shows how to reach somebody.',
    asked: [
      'are you a robot',
      'are you human',
      'is this a bot',
      'am I chatting with ai',
      'does a computer decide',
      'automated decision',
    ],
  },
  {
    id: 'speak-to-a-person',
    title: 'How do I speak to a person?',
    answer:
      'Choose Speak to a person under Help: it shows the number to call and where to write. Your answers stay as they are.',
    asked: [
      'phone number',
      'call someone',
      'talk to a human',
      'contact you',
      'customer service',
      'opening hours',
      'ring me back',
      'email address for help',
    ],
  },
  {
    id: 'advice',
    title: 'Should I take this loan?',
    answer:
      'Nobody here can advise you whether to borrow or what to choose. MoneyHelper gives free and impartial guidance: moneyhelper.org.uk or 0800 138 7777.',
    asked: [
      'is it a good deal',
      'which term is best',
      'what would you do',
      'is it worth it',
      'is solar worth it',
      'recommend',
      'is this a good rate',
      'can I get it cheaper elsewhere',
      'better to use savings',
    ],
  },
  {
    id: 'email-copy',
    title: 'Do I get a copy of my quote?',
    answer:
      'The page asks whether you would like a copy by email, and records your answer. This demonstration sends no mail and no text message. Your link opens the quote again.',
    asked: [
      'email me the quote',
      'copy of the quote',
      'did not get the email',
      'send me the documents',
      'text message not arrived',
      'print this',
    ],
  },
  {
    id: 'documents',
    title: 'Which documents do I need?',
    answer:
      'You need none to fill this in. The lender may ask you for proof later, such as identity, address or pay, and tells you which.',
    asked: [
      'proof of income',
      'payslips',
      'passport or driving licence',
      'bank statements',
      'do I need id',
      'identity check',
    ],
  },
]
