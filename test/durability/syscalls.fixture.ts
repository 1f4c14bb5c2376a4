import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A process's calls to the disk, in their order, with its output between them. */
export type Syscall =
  | { readonly kind: 'open'; readonly fd: number; readonly path: string; readonly flags: string }
  | {
      readonly kind: 'write'
      readonly fd: number
      readonly bytes: Buffer
      readonly offset: number | undefined
    }
  | { readonly kind: 'truncate'; readonly fd: number; readonly size: number }
  | { readonly kind: 'sync'; readonly fd: number }
  | { readonly kind: 'synced'; readonly fd: number }
  | { readonly kind: 'rename'; readonly path: string; readonly to: string }
  | { readonly kind: 'unlink'; readonly path: string }
  | { readonly kind: 'said'; readonly text: string }

/** Also those that nothing here is known to use: one that is not understood must not pass unseen. */
const TRACED =
  'openat,open,creat,write,pwrite64,writev,pwritev,pwritev2,sendfile,copy_file_range,fallocate,' +
  'truncate,ftruncate,fsync,fdatasync,sync_file_range,msync,rename,renameat,renameat2,link,linkat,' +
  'unlink,unlinkat'
const STRING_BYTES_MAX = 16_777_216

export function straceWorks(): boolean {
  return spawnSync('strace', ['-f', '--seccomp-bpf', '-e', 'trace=write', 'true']).status === 0
}

/** Runs a Node program under strace; its calls in `folder` and its stdout are kept. */
export function traceProgram(
  args: readonly string[],
  { folder, env }: { readonly folder: string; readonly env: Readonly<Record<string, string>> },
): Syscall[] {
  const trace = join(folder, '..', 'trace')
  const strace = ['-f', '--seccomp-bpf', '-y', '-xx', '-s', String(STRING_BYTES_MAX), '-o', trace]
  const { status, stderr } = spawnSync(
    'strace',
    [...strace, '-e', `trace=${TRACED}`, process.execPath, ...args],
    { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...env } },
  )
  if (status !== 0) throw new Error(`The traced program ended with ${status}: ${stderr}`)
  // Latin-1: the file is ASCII, and longer than it need be to decode.
  return parseTrace(readFileSync(trace, 'latin1'), folder)
}

export function parseTrace(text: string, folder: string): Syscall[] {
  const unfinished = new Map<string, string>()
  const calls: Syscall[] = []
  for (const line of text.split('\n')) {
    const [, pid = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? []
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest)
    if (resumed) {
      const whole = (unfinished.get(pid) ?? '') + (resumed[1] ?? '')
      calls.push(...ended(whole, folder))
      unfinished.delete(pid)
    } else if (rest.endsWith(UNFINISHED)) {
      const begun = rest.slice(0, -UNFINISHED.length)
      unfinished.set(pid, begun)
      calls.push(...began(begun, folder))
    } else {
      calls.push(...began(rest, folder), ...ended(rest, folder))
    }
  }
  return calls
}

const UNFINISHED = ' <unfinished ...>'

/** A write may reach the disk from its beginning on; a printed line was acknowledged before it. */
function began(call: string, folder: string): Syscall[] {
  const { name, fd, path, args } = partsOf(call)
  if (name === 'write' && fd === 1) return [{ kind: 'said', text: bytesOf(args).toString() }]
  if (!inside(path, folder)) return []
  if (name === 'write') return [{ kind: 'write', fd, bytes: bytesOf(args), offset: undefined }]
  if (name === 'pwrite64') {
    const [, , offset = ''] = args.slice(args.lastIndexOf('"')).split(',')
    return [{ kind: 'write', fd, bytes: bytesOf(args), offset: Number.parseInt(offset, 10) }]
  }
  if (name === 'ftruncate') return [{ kind: 'truncate', fd, size: Number.parseInt(args, 10) }]
  return SYNCS.has(name) ? [{ kind: 'sync', fd }] : []
}

/** Names change, and synced data is safe, when the call has returned. */
function ended(call: string, folder: string): Syscall[] {
  const { name, fd, path, args } = partsOf(call)
  const result = inside(path, folder) ? resultOf(name, call) : -1
  if (result < 0 || CHANGES.has(name)) return []
  if (SYNCS.has(name)) return [{ kind: 'synced', fd }]
  switch (name) {
    case 'openat':
      return [{ kind: 'open', fd: result, path, flags: /O_[A-Z_|]+/.exec(args)?.[0] ?? '' }]
    case 'rename':
      return [{ kind: 'rename', path, to: textIn(args) }]
    case 'unlink':
      return [{ kind: 'unlink', path }]
    default:
      throw new Error(`Cannot replay "${name}": its effect on the disk is unknown here`)
  }
}

function resultOf(name: string, call: string): number {
  const result = Number.parseInt(call.slice(call.lastIndexOf('= ') + 2), 10)
  if (result >= 0 || MAY_FAIL.has(name)) return result
  throw new Error(`Cannot replay "${call.slice(0, 200)}"`)
}

const SYNCS: ReadonlySet<string> = new Set(['fsync', 'fdatasync'])
const CHANGES: ReadonlySet<string> = new Set(['write', 'pwrite64', 'ftruncate'])
const MAY_FAIL: ReadonlySet<string> = new Set(['openat', 'unlink'])

/** `name(fd<path>, args…`, or `name("path", args…`, or `openat(AT_FDCWD<…>, "path", args…`. */
function partsOf(call: string) {
  const open = call.indexOf('(')
  const name = call.slice(0, open)
  const comma = call.indexOf(',')
  // One that is not finished has no closing parenthesis yet.
  const first = /^[^,)]*/.exec(call.slice(open + 1))?.[0] ?? ''
  const rest = comma === -1 ? '' : call.slice(comma + 1)
  if (name === 'openat') {
    const end = rest.indexOf('"', rest.indexOf('"') + 1)
    return { name, fd: -1, path: textIn(rest), args: rest.slice(end + 1) }
  }
  const path = first.startsWith('"')
    ? textIn(first)
    : unhex(/<(.*)>/.exec(first)?.[1] ?? '').toString()
  return { name, fd: Number.parseInt(first, 10), path, args: rest.trimStart() }
}

function inside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

function textIn(args: string): string {
  return bytesOf(args).toString()
}

/** The bytes of the first string. */
function bytesOf(args: string): Buffer {
  const begin = args.indexOf('"') + 1
  return unhex(args.slice(begin, args.indexOf('"', begin)))
}

function unhex(text: string): Buffer {
  return Buffer.from(text.replaceAll('\\x', ''), 'hex')
}
