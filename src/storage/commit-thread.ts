/** The thread that commits where the disk is slow: here nobody else waits with it. */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { assert } from '../assert/index.ts'
import { decodeRequests, encodeReply } from './commit-wire.ts'
import type { RequestsOnTheWire } from './commit-wire.ts'
import { openCommitter } from './open-committer.ts'
import type { CommitTerms } from './open-committer.ts'

const BUSY_RETRY_MS = 5

export interface CommitThreadData {
  readonly terms: CommitTerms
  /** Set to 1 once the log is being closed: then a busy file is waited for no longer. */
  readonly closing: Int32Array
}

// Given by `CommitLink`, which is of this type.
const { terms, closing } = workerData as CommitThreadData
const port = parentPort
assert(port, 'Cannot commit: this is not a thread of its own')
const committer = openCommitter(terms, {
  reply: (reply) => port.postMessage(encodeReply(reply)),
  wait: () => Atomics.wait(closing, 0, 0, BUSY_RETRY_MS) === 'timed-out',
})

port.on('message', (first: RequestsOnTheWire) => {
  receiveAll(first)
  for (;;) {
    // Its type is the one of every message on this port.
    const next = receiveMessageOnPort(port) as { readonly message: RequestsOnTheWire } | undefined
    if (!next) return committer.settle()
    receiveAll(next.message)
  }
})

function receiveAll(message: RequestsOnTheWire): void {
  for (const request of decodeRequests(message)) {
    if (request.kind === 'close') return close()
    committer.receive(request)
  }
}

function close(): void {
  port?.postMessage(encodeReply({ kind: 'closed', failure: committer.close() }))
  port?.close()
}
