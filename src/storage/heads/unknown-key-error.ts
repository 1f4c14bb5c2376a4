import { LogError } from '../../log/index.ts'

/** The advice for a heads file that cannot be trusted. */
export const MEND =
  'restore the file from a backup; only if there is none, run "npm run accept-heads" in a checkout, or ' +
  'call acceptHeads of "throughline/server/extend", which cannot be undone: all stored records become ' +
  'unanchored for good'

/** The heads file is signed, and with none of the keys given. */
export class UnknownKeyError extends LogError {
  readonly headsFile: string

  constructor(headsFile: string, mend = MEND) {
    super(
      'configuration',
      `Cannot trust the heads file "${headsFile}": it is signed with none of the keys given; ` +
        `give the key that signed it behind the new one; otherwise ${mend}`,
    )
    this.headsFile = headsFile
  }
}
