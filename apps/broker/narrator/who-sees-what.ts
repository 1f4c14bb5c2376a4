/** The assistant's texts on each side's view of the case; `case/case-view.ts` decides the views. */
export const WHO_SEES = {
  installer:
    'Your installer sees the project, your contact details and how far your application is, such as ' +
    'that it waits for you or that no lender made an offer. They do not see your other answers, your ' +
    'income among them, and they do not see this chat.',
  installerNotWhy:
    'Your installer sees how far your application is, such as that no lender made an offer, and not why.',
  reasons:
    "Lenders' reasons are shown neither to your installer nor to you, and I am not told them.",
  answers:
    'We at the broker see what you answer. A lender gets it only once it is asked, for which you ' +
    'first have to grant the credit search and confirm the summary. Your installer does not see it.',
  support:
    'Lenders are told that we asked about support and how many points you marked, and not which. Your ' +
    'installer is told nothing of it.',
  chat: 'This chat is kept with your application at the broker. Neither your installer nor a lender gets it.',
} as const
