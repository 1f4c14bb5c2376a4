import { readFileSync } from 'node:fs'

const PARENT_CHECK_MS = 500

export interface Ancestors {
  readonly parent: number
  /** The parent of the shell in which npm runs a script: the shell may outlive npm. */
  readonly above: number | undefined
}

/** Reads from which processes this one descends: once a parent has ended, nothing tells who it was. */
export function readAncestors(): Ancestors {
  const parent = process.ppid
  return { parent, above: isScriptShell(parent) ? parentOf(parent) : undefined }
}

/** Calls back once one of the ancestors has ended. */
export function whenParentEnds({ parent, above }: Ancestors, ended: () => void): void {
  const timer = setInterval(() => {
    if (process.ppid === parent && (above === undefined || parentOf(parent) === above)) return
    clearInterval(timer)
    ended()
  }, PARENT_CHECK_MS)
  timer.unref()
}

/** Whether a process is a shell that was given its command, as in `sh -c "node main.ts"`. */
function isScriptShell(pid: number): boolean {
  return readProcess(pid, 'cmdline')?.split('\0')[1] === '-c'
}

function parentOf(pid: number): number | undefined {
  // The second field, a name in parentheses, may hold blanks and parentheses itself.
  const stat = readProcess(pid, 'stat')
  return stat === undefined ? undefined : Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2])
}

/** Only Linux shows it in a file. On macOS no shell stays in between: it becomes the command. */
function readProcess(pid: number, what: 'cmdline' | 'stat'): string | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'utf8')
  } catch {
    // The process has just ended.
    return undefined
  }
}
