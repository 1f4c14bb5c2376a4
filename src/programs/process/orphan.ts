import { execFile } from 'node:child_process'
import { readFile, readlink, realpath } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { PROGRAM_STOP_MAX_MS } from '../limits.ts'
import { endFamily } from './family.ts'

const LOOK_MS = 20

export interface Orphan {
  /** 0 where it is not known. */
  readonly pid: number
  /** Where it works. */
  readonly cwd: string
  /** A part of its command line. */
  readonly mark: string
  /** The family that it was started in. */
  readonly family: string
}

/**
 * Ends a program whose server was killed, with all it has started, and resolves once they are gone: it may still
 * work on the message that the next one is given, or have ended before the commands that it ran. Another process
 * that has its number by now is left alone.
 */
export async function endOrphan(orphan: Orphan): Promise<void> {
  const until = performance.now() + PROGRAM_STOP_MAX_MS
  while ((await isRunning(orphan)) && performance.now() < until) {
    try {
      process.kill(-orphan.pid, 'SIGKILL')
    } catch {
      // It is gone.
    }
    await setTimeout(LOOK_MS)
  }
  await endFamily({ name: orphan.family, group: 0 })
}

async function isRunning({ pid, cwd, mark }: Orphan): Promise<boolean> {
  if (pid <= 0) return false
  // Undefined where the platform does not tell.
  const folder = readlink(`/proc/${pid}/cwd`).catch(() => undefined)
  const [command, place] = await Promise.all([commandLine(pid), folder])
  if (!command.includes(mark)) return false
  return place === undefined || place === (await realpath(cwd))
}

/** Empty for a process that has ended. */
async function commandLine(pid: number): Promise<string> {
  try {
    if (process.platform === 'linux') return await readFile(`/proc/${pid}/cmdline`, 'utf8')
    const { stdout } = await promisify(execFile)('ps', ['-o', 'args=', '-p', String(pid)])
    return stdout
  } catch {
    return ''
  }
}
