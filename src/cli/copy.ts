import { copyLog } from '../log/index.ts'
import type { EventLog } from '../log/index.ts'
import { hasKeysBeside, openLog } from '../storage/index.ts'

const TOLD_EACH_MS = 1_000

type Print = (line: string) => void

export interface CopyRequest {
  readonly from: string
  readonly to: string
  /** Sign the heads of the copy; those of the source were signed by one of them. */
  readonly anchorKeys: readonly string[]
  readonly print: Print
}

/**
 * Copies a store into another one and verifies the copy. Returns whether the copy is whole and sound: not where
 * the source has grown meanwhile.
 */
export async function copyStore({ from, to, anchorKeys, print }: CopyRequest): Promise<boolean> {
  // A copy leaves the heads of its source as they are.
  const options = { anchorKeys, unsignedHeads: 'refuse' } as const
  const source = await openLog(from, options)
  try {
    const target = await openLog(to, options)
    try {
      const total = await copyAll(source, target, print)
      const isWhole = await hasNotGrown(source, target, print)
      const isSound = await verifies(target, print)
      if (isWhole && isSound)
        print(`${total}: the copy is whole, and its hashes are those of the source`)
      if (hasKeysBeside(from)) print(KEYS_STAY)
      return isWhole && isSound
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

const KEYS_STAY =
  'the keys of erasable applications are not copied: copy their store too, or nobody can read personal data in the copy'

async function copyAll(source: EventLog, target: EventLog, print: Print): Promise<string> {
  let [threads, records, appended] = [0, 0, 0]
  let toldAt = performance.now()
  const told = () => `${threads} threads, ${records} records, of which ${appended} were copied now`
  for await (const copied of copyLog(source, target)) {
    threads++
    records += copied.records
    appended += copied.appended
    if (performance.now() - toldAt < TOLD_EACH_MS) continue
    toldAt = performance.now()
    print(told())
  }
  return told()
}

async function hasNotGrown(source: EventLog, target: EventLog, print: Print): Promise<boolean> {
  for (const thread of await source.threads()) {
    const [has, had] = [await source.head(thread), await target.head(thread)]
    if (has === had) continue
    print(`The thread "${thread}" has grown meanwhile: stop all servers, then copy again`)
    return false
  }
  return true
}

async function verifies(log: EventLog, print: Print): Promise<boolean> {
  let isSound = true
  for await (const { thread, ...verdict } of log.verifyAll()) {
    if (verdict.ok) continue
    isSound = false
    print(`The thread "${thread}" of the copy is not sound: ${JSON.stringify(verdict)}`)
  }
  return isSound
}
