/** Texts of the broker's own page for a statement, and of the card that leads to it. */
export const HOSTED_WORDS = {
  card: {
    title: 'A statement for you to read',
    text: "It is on Clearpath's own page, which opens in a new tab. Answer it there. This page then goes on by itself.",
    open: 'Read the statement',
    again: 'Did you close that tab? Open it again.',
  },
  page: {
    title: 'A statement from the broker',
    why: "This page is Clearpath's own. The page that sent you here cannot change what it says.",
    opening: 'Opening the statement',
    savedTitle: 'Your answer is saved',
    saved: 'You can close this tab and go back to your application.',
    earlyTitle: 'You do not need this statement yet',
    early: 'Go back to your application. It shows what comes next.',
    changeTitle: 'Change your answers in your application',
    change: 'Nothing is sent. Go back to your application and change what is not right.',
    back: 'Back to the statement',
    application: 'Your application',
  },
}
