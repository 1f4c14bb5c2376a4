import { endOpenRuns } from '../activity/index.ts'
import type { Gate } from '../gate/index.ts'
import type { Holding } from '../log/index.ts'
import type { Snapshot } from '../thread/index.ts'

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
  const snapshot = await gate.snapshot(thread)
  if (snapshot.openRuns.length === 0) return snapshot
  await gate.append(thread, endOpenRuns(snapshot, WHY), { fence })
  return gate.latest(thread)
}
