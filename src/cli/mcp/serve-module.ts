import { resolve } from 'node:path'
import { Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { ApplicationError, OPERATOR } from '../../application/index.ts'
import type { Throughline } from '../../application/index.ts'
import { ThroughlineError } from '../../assert/index.ts'
import { quotedNames } from '../../json/index.ts'
import { open } from '../../open.ts'
import { serveMcpSession } from '../../server/index.ts'
import { appsOf } from './app-module.ts'

export interface McpArguments {
  readonly module: string
  readonly store: string
  readonly role?: string | undefined
  readonly actor?: string | undefined
  readonly anchorKeys: readonly string[]
}

/** Serves the agents that a module exports to the client that has started this process. Returns the exit code. */
export async function serveModule({ module, store, ...given }: McpArguments): Promise<number> {
  const { stdin: input } = process
  const output = takeStandardOutput()
  try {
    const url = pathToFileURL(resolve(module)).href
    const apps = appsOf((await import(url)) as Readonly<Record<string, unknown>>)
    if (apps.length === 0) {
      const mend = 'export what `defineApp` returns, or agents with at most one domain'
      process.stderr.write(`Cannot serve "${module}": it exports no application; ${mend}\n`)
      return 2
    }
    const { anchorKeys, role, actor } = given
    const storage = anchorKeys.length > 0 ? { storage: { anchorKeys } } : {}
    const tl = await open({ apps, store, ...storage })
    const end = () => input.destroy()
    process.once('SIGTERM', end).once('SIGINT', end)
    const who = { ...(role !== undefined && { role }), ...(actor !== undefined && { actor }) }
    try {
      requireRole(tl, role)
      await serveMcpSession(tl, { input, output, ...who })
    } finally {
      await tl.close()
    }
    return 0
  } catch (error) {
    if (!(error instanceof ThroughlineError)) throw error
    const isLocked = error.code === 'locked'
    const mend = isLocked ? '; connect the client to the `/mcp` of the server that has it' : ''
    process.stderr.write(`${error.message}${mend}\n`)
    return 2
  }
}

/** @throws {@link ApplicationError} `unknown_role` */
function requireRole({ apps }: Throughline, role: string | undefined): void {
  if (role === undefined || role === OPERATOR || apps.some((app) => app.hasRole(role))) return
  const known = quotedNames([...apps.flatMap(({ app }) => [...app.roles.keys()]), OPERATOR])
  throw new ApplicationError(
    'unknown_role',
    `Cannot act as --role "${role}": the roles are ${known}`,
  )
}

/** What the application prints goes to the standard error: the client reads the protocol from the output. */
function takeStandardOutput(): Writable {
  const { stdout, stderr } = process
  const write = stdout.write.bind(stdout)
  const output = new Writable({
    write(bytes: Buffer, _encoding, done) {
      write(bytes, done)
    },
  })
  stdout.write = stderr.write.bind(stderr)
  return output
}
