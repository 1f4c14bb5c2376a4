import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import {
  CheckpointError,
  Witness,
  addCheckpointIn,
  newSigningKey,
  signerOf,
  verifierOf,
} from '../checkpoints/index.ts'
import type { WitnessState } from '../checkpoints/index.ts'
import { syncFolder } from '../storage/index.ts'
import type { Print } from './replay.ts'

/** Bytes of a request to a witness. */
export const WITNESS_REQUEST_BYTES_MAX = 65_536

export interface WitnessArguments {
  readonly 'new-key'?: string | undefined
  /** The key of the log, as its proofs name it. */
  readonly log?: string | undefined
  readonly 'key-file'?: string | undefined
  readonly state?: string | undefined
  readonly host?: string | undefined
  readonly port?: string | undefined
}

const STATUS = { invalid_checkpoint: 403, not_consistent: 422 } as const

/** Prints a new key, or signs the checkpoints of one log until the process ends. */
export async function witness(given: WitnessArguments, print: Print): Promise<number | undefined> {
  try {
    if (given['new-key'] !== undefined) {
      const key = newSigningKey(given['new-key'])
      print(key)
      print(`Keep that secret. With this one others check what it signs: ${signerOf(key).verifier}`)
      return 0
    }
    const { log, state, 'key-file': file, host = '127.0.0.1', port = '8080' } = given
    if (log === undefined || state === undefined || file === undefined) return undefined
    const signer = signerOf(readFileSync(file, 'utf8'))
    let isNew = !existsSync(state)
    const own = new Witness({
      signer,
      log: verifierOf(log),
      now: Date.now,
      load: () => (isNew ? undefined : stateIn(state)),
      save(next) {
        saveState(state, next)
        isNew = false
      },
    })
    const server = witnessServer(own, print)
    server.listen(Number(port), host, () => {
      const address = server.address()
      const at = typeof address === 'object' ? address?.port : port
      print(`witness ready http://${host}:${at}`)
      print(`It signs as ${signer.verifier}`)
    })
    await new Promise((resolve, reject) => {
      server.once('close', resolve)
      server.once('error', reject)
      for (const signal of ['SIGINT', 'SIGTERM'] as const)
        process.once(signal, () => server.close())
    })
    return 0
  } catch (error) {
    if (!(error instanceof Error)) throw error
    print(error.message)
    return 2
  }
}

/** C2SP's tlog-witness over HTTP. */
function witnessServer(own: Witness, print: Print): Server {
  return createServer((request, response) => {
    const answer = (status: number, body: string, type = 'text/plain; charset=utf-8') => {
      response.writeHead(status, { 'content-type': type }).end(body)
    }
    if (request.method !== 'POST' || request.url !== '/add-checkpoint') {
      answer(404, 'POST /add-checkpoint\n')
      request.resume()
      return
    }
    bodyOf(request).then(
      (body) => {
        if (body === undefined) answer(413, 'The request is too large\n')
        else answerWith(own, body, { answer, print })
      },
      () => response.destroy(),
    )
  })
}

interface Answering {
  readonly answer: (status: number, body: string, type?: string) => void
  readonly print: Print
}

function answerWith(own: Witness, body: string, { answer, print }: Answering): void {
  try {
    const found = own.add(addCheckpointIn(body))
    if (found.status === 'signed') answer(200, found.line)
    else answer(409, `${found.size}\n`, 'text/x.tlog.size')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const code = error instanceof CheckpointError ? error.code : undefined
    if (code === 'invalid_checkpoint' || code === 'not_consistent') {
      return answer(STATUS[code], `${why}\n`)
    }
    // What is not of the request, such as a full disk, signs nothing and is told here alone.
    print(`Cannot sign a checkpoint: ${why}`)
    answer(500, 'The witness cannot keep its state; nothing was signed\n')
  }
}

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  if (Number(request.headers['content-length'] ?? Infinity) > WITNESS_REQUEST_BYTES_MAX) {
    request.resume()
    return undefined
  }
  return text(request)
}

/** @throws an error that says why the file cannot be used: a witness must not begin anew beside it */
function stateIn(file: string): WitnessState {
  const [size = '', root = ''] = readFileSync(file, 'utf8').split('\n')
  if (/^\d+$/.test(size) && root !== '') return { size: Number(size), root }
  throw new Error(`Cannot read "${file}": it is no state of a witness; put back its last copy`)
}

/** Whole or not at all, and on the disk before a signature is given. */
function saveState(file: string, { size, root }: WitnessState): void {
  writeFileSync(`${file}.new`, `${size}\n${root}\n`, { flush: true })
  renameSync(`${file}.new`, file)
  syncFolder(dirname(file))
}
