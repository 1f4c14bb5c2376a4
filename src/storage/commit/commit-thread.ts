/** The thread that commits where the disk is slow, so that no other work waits for the disk. */
import { parentPort, workerData } from 'node:worker_threads'
import { assert } from '../../assert/index.ts'
import type { LogError } from '../../log/index.ts'
import { READY, decodeAppends, encodeCommitted, encodeFailure } from './commit-wire.ts'
import type { AppendsOnTheWire } from './commit-wire.ts'
import { openCommitter } from './committer.ts'
import type { Committer } from './committer.ts'
import type { ClaimedStore } from './claim-store.ts'
import { storageError } from '../files/storage-error.ts'

/** Appends, or that none will follow. */
export type CommitRequest = AppendsOnTheWire | 'close'

const port = parentPort
assert(port, 'Cannot commit: this is not a thread of its own')
// Opened with the first request: until then another thread writes to the same files.
let committer: Committer | undefined

port.on('message', (message: CommitRequest) => {
  port.postMessage(message === 'close' ? encodeFailure(close()) : commit(message))
})
port.postMessage(READY)

function commit(message: AppendsOnTheWire): string {
  // Given by `CommitThread`.
  committer ??= openCommitter(workerData as ClaimedStore)
  return encodeCommitted(committer.commit(decodeAppends(message)))
}

function close(): LogError | null {
  try {
    committer?.close()
    return null
  } catch (error) {
    return storageError('close the log', error)
  }
}
