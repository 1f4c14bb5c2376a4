/** What is said beside something that was not sent. */
export const TURN_WORDS = {
  remove: 'Remove',
  tryingAgain: 'Trying again.',
}
