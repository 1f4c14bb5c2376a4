import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

/** The agents can make pipes, devices and links: none of them is opened for long, or read. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * Reads a regular file that has no other name; undefined for anything else. Another name could be that of a
 * file outside the team's folder.
 */
export async function readPlainFile(
  path: string,
  bytesMax: number,
): Promise<Buffer | 'too large' | undefined> {
  const file = await open(path, FLAGS).catch(() => undefined)
  if (!file) return undefined
  try {
    const stats = await file.stat()
    if (!stats.isFile() || stats.nlink !== 1) return undefined
    return stats.size > bytesMax ? 'too large' : await file.readFile()
  } finally {
    await file.close()
  }
}
