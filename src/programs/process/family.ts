import { readFile, readdir } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'

/** Names the family of a process: each process that a program starts inherits it. */
export const FAMILY_VARIABLE = 'THROUGHLINE_PROGRAM'

/** A process may start another while its family is being ended. */
const PASSES_MAX = 50
const LOOK_MS = 20

export interface Family {
  readonly name: string
  /** The group of the program, which may have ended; 0 where it is not known. */
  readonly group: number
}

/**
 * Ends a program with all that it has started, and resolves once they are gone. A group is not enough: Claude Code
 * runs each command in a session of its own. Only Linux tells the environment of processes; elsewhere the group ends.
 */
export async function endFamily({ name, group }: Family): Promise<void> {
  if (group > 0) kill(-group)
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    const members = await membersOf(name)
    if (members.length === 0) return
    for (const pid of members) kill(pid)
    await setTimeout(LOOK_MS)
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It is gone, or another user's.
  }
}

async function membersOf(name: string): Promise<readonly number[]> {
  if (process.platform !== 'linux') return []
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0 && pid !== process.pid)
  const variable = `${FAMILY_VARIABLE}=${name}`
  const members: number[] = []
  // One after the other: a server may have few descriptors left.
  for (const pid of pids) {
    // Empty for a process that has ended; closed for one of another user.
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
    if (environment.split('\0').includes(variable)) members.push(pid)
  }
  return members
}
