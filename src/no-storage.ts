import { LogError } from './log/index.ts'

/** Replaces `throughline/storage` in a bundle for a browser, which has no SQLite. */
export function openLog(url: string): never {
  throw new LogError(
    'configuration',
    `Cannot open the log "${url}": a browser has no SQLite; use "memory:", or open it on a server`,
  )
}

export { openLog as openStore }

/** Nothing lies beside a log where there is none. */
export function hasKeysBeside(): boolean {
  return false
}
