/** The thread that commits where the disk is slow: here nobody else waits with it. */
import { parentPort, workerData } from 'node:worker_threads'
import { assert } from '../assert/index.ts'
import type { LogError } from '../log/index.ts'
import { decodeAppends, encodeCommitted, encodeFailure } from './commit-wire.ts'
import type { AppendsOnTheWire } from './commit-wire.ts'
import { openCommitter } from './open-committer.ts'
import type { CommitTerms } from './open-committer.ts'
import { storageError } from './sqlite-error.ts'

/** Appends, or that none will follow. */
export type CommitRequest = AppendsOnTheWire | 'close'

const port = parentPort
assert(port, 'Cannot commit: this is not a thread of its own')
// Given by `CommitThread`.
const committer = openCommitter(workerData as CommitTerms)

port.on('message', (message: CommitRequest) => {
  const isLast = message === 'close'
  port.postMessage(
    isLast ? encodeFailure(close()) : encodeCommitted(committer.commit(decodeAppends(message))),
  )
})

function close(): LogError | null {
  try {
    committer.close()
    return null
  } catch (error) {
    return storageError('close the log', error)
  }
}
