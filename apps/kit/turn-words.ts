/** Texts beside a message that was not sent. */
export const TURN_WORDS = {
  remove: 'Remove',
  tryingAgain: 'Trying again.',
}
