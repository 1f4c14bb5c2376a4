import { endOpenRuns } from '../activity/index.ts'
import type { Gate } from '../gate/index.ts'
import { LogError } from '../log/index.ts'
import type { Holding } from '../log/index.ts'
import type { Snapshot } from '../thread/index.ts'

/** How often recovery looks at a thread again because another writer was faster. */
const RECOVERY_TRIES_MAX = 8

const WHY = {
  message: 'Cannot finish the run: the server was stopped in the middle of it',
  code: 'interrupted',
}

/** Ends the runs that a crash left open in a thread, the deepest first, and gives the thread after that. */
export async function withoutOpenRuns<State>(
  gate: Gate<State>,
  thread: string,
  { fence }: Pick<Holding, 'fence'>,
): Promise<Snapshot<State>> {
  for (let tries = 0; tries < RECOVERY_TRIES_MAX; tries++) {
    const snapshot = await gate.snapshot(thread)
    if (snapshot.openRuns.length === 0) return snapshot
    const before = endOpenRuns(snapshot, WHY)
    try {
      // A cancel that comes in between changes how the runs end.
      await gate.commit(thread, [], { before, expectedVersion: snapshot.seq, fence })
    } catch (error) {
      if (!(error instanceof LogError) || error.code !== 'version_conflict') throw error
    }
  }
  throw new LogError('busy', `Cannot end the open runs of "${thread}": others always wrote first`)
}
