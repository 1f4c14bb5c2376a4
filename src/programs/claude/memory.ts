import { PROGRAM_REPEATS_MAX } from '../limits.ts'
import { RecentIds } from '../recent-ids.ts'

/** What is known of a conversation over all processes of the CLI that it was held in. */
export class ClaudeMemory {
  /** The CLI's newest id of the conversation: one that is resumed may go on under another. */
  session: string | undefined
  /** Ids of lines. */
  readonly lines = new RecentIds(PROGRAM_REPEATS_MAX)
  /** Ids of messages. */
  readonly messages = new RecentIds(PROGRAM_REPEATS_MAX)
}
