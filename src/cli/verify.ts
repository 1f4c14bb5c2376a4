import { EXIT, verifyLog } from './verify-log.ts'
import type { Say } from './verify-log.ts'
import { verifyPostgres } from './verify-postgres.ts'

export interface VerifyRequest {
  readonly store: string
  /** Any of them may have signed the heads. */
  readonly keys: readonly string[]
  /** Of a SQLite log, beside the database by default; of Postgres, the file that a server keeps. */
  readonly heads?: string
  /** All threads when it names none. */
  readonly wanted: readonly string[]
  readonly print: Say
}

/** Prints a line for each thread of a store and returns the exit code: 0 to 3, as docs/log-format.md has them. */
export async function verifyStore(request: VerifyRequest): Promise<number> {
  const { store, keys, heads, wanted, print } = request
  if (!/^postgres(?:ql)?:/.test(store)) return verifySqlite(request)
  try {
    return await verifyPostgres({ url: store, keys, ...(heads ? { heads } : {}), wanted }, print)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    print(`cannot tell: ${error.message}`)
    return EXIT.cannotTell
  }
}

function verifySqlite({ store, keys, heads, wanted, print }: VerifyRequest): number {
  const path = store.replace(/^sqlite:/, '')
  const underKey = (key: string) =>
    verifyLog(path, { key, wanted, ...(heads === undefined ? {} : { heads }) })
  const [first = '', ...others] = keys
  let verified = underKey(first)
  for (const key of others) {
    // With a key that did not sign the heads there is no verdict.
    if (verified.exitCode === EXIT.cannotTell) verified = underKey(key)
  }
  for (const line of verified.lines) print(line)
  return verified.exitCode
}
