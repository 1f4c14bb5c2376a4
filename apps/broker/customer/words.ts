/** Words that several cards share. */
export const WORDS = {
  yes: 'Yes',
  no: 'No',
  continue: 'Continue',
  tryAgain: 'Try again',
}
