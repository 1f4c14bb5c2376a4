#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { LogError } from '../log/index.ts'
import { UnknownKeyError } from '../storage/index.ts'
import { copyStore } from './copy.ts'
import { EXIT, verifyLog } from './verify-log.ts'
import type { VerifyOptions } from './verify-log.ts'
import { verifyPostgres } from './verify-postgres.ts'

const USAGE = `Usage: throughline copy FROM TO
       throughline verify STORE [THREAD…]

copy    Copies a log into another store, hashes unchanged, and verifies the copy. Stop the servers first.
        A copy that was cut off goes on.
verify  Checks the chain and the signed heads of a log, and writes nothing. Ends with 0 when all threads are
        sound, 1 when one is not, 2 when it cannot tell, 3 when all are sound and some hold records that no
        head vouches for.

A store is sqlite:PATH or postgres://user@host/database. The heads are signed with SECRET, or with the secret
that a server has made beside the SQLite store that is named first.`

const [, , command = '', ...args] = process.argv
const print = (line: string): void => console.log(line)
process.exitCode = await run()

async function run(): Promise<number> {
  const [first, second, ...rest] = args
  const isAsked = ['--help', 'help'].some((word) => word === command || word === first)
  if (first !== undefined && command === 'verify' && !isAsked) return verify(first, args.slice(1))
  if (first !== undefined && second !== undefined && command === 'copy' && rest.length === 0) {
    return copy(first, second)
  }
  if (isAsked) console.log(USAGE)
  else console.error(USAGE)
  return isAsked ? 0 : 2
}

async function verify(store: string, wanted: readonly string[]): Promise<number> {
  const { HEADS_FILE: heads } = process.env
  const options = { wanted, ...(heads ? { heads } : {}) }
  const keys = secretsFor(store)
  if (!/^postgres(?:ql)?:/.test(store)) return verifySqlite(store, keys, options)
  try {
    return await verifyPostgres({ url: store, keys, ...options }, print)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    print(`cannot tell: ${error.message}`)
    return EXIT.cannotTell
  }
}

function verifySqlite(
  store: string,
  [first = '', ...others]: readonly string[],
  options: Omit<VerifyOptions, 'key'>,
): number {
  const path = store.replace(/^sqlite:/, '')
  let verified = verifyLog(path, { ...options, key: first })
  for (const key of others) {
    // With a key that did not sign the heads there is no verdict.
    if (verified.exitCode === EXIT.cannotTell) verified = verifyLog(path, { ...options, key })
  }
  for (const line of verified.lines) print(line)
  return verified.exitCode
}

async function copy(from: string, to: string): Promise<number> {
  try {
    const isWhole = await copyStore({ from, to, anchorKeys: secretsFor(from), print })
    return isWhole ? 0 : 1
  } catch (error) {
    if (!(error instanceof LogError || error instanceof UnknownKeyError)) throw error
    console.error(error.message)
    return 1
  }
}

/** The first one signs, all of them are accepted; none where no server has made one. */
function secretsFor(store: string): readonly string[] {
  const given = process.env['SECRET'] ?? secretBeside(store)
  return given === undefined ? [] : given.split(',').map((secret) => secret.trim())
}

function secretBeside(store: string): string | undefined {
  const file = join(dirname(store.replace(/^sqlite:/, '')), 'secret')
  return store.startsWith('sqlite:') && existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
