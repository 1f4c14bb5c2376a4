import { foldOpenRuns } from '../activity/index.ts'
import { LogError, MemoryShelves, ShelvedCursors } from '../log/index.ts'
import type { Cursors, EventLog, NewEvent } from '../log/index.ts'
import { recordsOf } from '../storage/sqlite-folder.fixture.ts'
import { OpenWork } from './open-work.ts'
import { memoryLog } from '../../test/memory-log.fixture.ts'

export const started: NewEvent = {
  type: 'RUN_STARTED',
  data: { runId: 'r' },
  origin: { source: 'system', depth: 0, run: 'r' },
}
export const ended: NewEvent = { ...started, type: 'RUN_FINISHED' }

export function newLog(): EventLog {
  return memoryLog({ now: () => 1 })
}

export function newCursors(): Cursors {
  return new ShelvedCursors(new MemoryShelves())
}

interface Session {
  readonly log: EventLog
  readonly cursors?: Cursors
  readonly version?: string
  readonly recover?: (thread: string) => Promise<void>
  readonly moved?: (thread: string) => Promise<void>
}

/** A session of a process in which open runs are the open work, and the threads that it looked at. */
export function session({ log, cursors, version = '1', recover, moved }: Session) {
  const looked: string[] = []
  const takenUp: string[] = []
  const faults: unknown[] = []
  const openIn = async (thread: string) => foldOpenRuns([], await recordsOf(log, thread))
  const work = new OpenWork({
    log,
    cursors,
    version,
    now: () => 1,
    async dueAt(thread) {
      looked.push(thread)
      const open = await openIn(thread)
      return open.length > 0 ? 0 : undefined
    },
    async recover(thread) {
      await recover?.(thread)
      if ((await openIn(thread)).length > 0) await log.append(thread, [ended])
    },
    ...(moved && { moved }),
    takeUp: async (thread) => void takenUp.push(thread),
    onFault: (error) => void faults.push(error),
  })
  return { work, looked, takenUp, faults }
}

export async function openThreads(log: EventLog): Promise<readonly string[]> {
  const open: string[] = []
  for (const thread of await log.threads()) {
    const left = foldOpenRuns([], await recordsOf(log, thread))
    if (left.length > 0) open.push(thread)
  }
  return open
}

/** Cursors that refuse to be saved while `refuses` says so. */
export function refusing(cursors: Cursors, refuses: () => boolean): Cursors {
  return {
    load: (name) => cursors.load(name),
    open: (name) => cursors.open(name),
    save: async (...saved) => {
      if (refuses()) throw new LogError('storage_full', 'Cannot save the cursor: full')
      await cursors.save(...saved)
    },
  }
}
