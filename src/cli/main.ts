#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { LogError } from '../log/index.ts'
import { anchorKeysFor } from './anchor-keys.ts'
import { copyStore } from './copy.ts'
import { createApplication } from './create.ts'
import { ask } from './ask.ts'
import { fuzzModule } from './fuzz.ts'
import { proxy } from './proxy.ts'
import { replay } from './replay.ts'
import { isExport, verifyExport } from './verify-export.ts'
import { EXIT, requireFile, verifyLog } from './verify-log.ts'
import type { VerifyOptions } from './verify-log.ts'
import { verifyPostgres } from './verify-postgres.ts'
import { witness } from './witness.ts'

/** Where threads are kept that are asked over MCP. */
const MCP_STORE = 'sqlite:.throughline/mcp.db'

const USAGE = `Usage: throughline create DIR
       throughline copy [--anchor-key-file FILE] FROM TO
       throughline verify [--anchor-key-file FILE] STORE [THREAD…]
       throughline verify EXPORT.jsonl
       throughline replay --against MODULE [--base MODULE] [--level 1|2] [--json] [--workers N] STORE [THREAD…]
       throughline replay --against MODULE … EXPORT.jsonl…
       throughline replay --ask --tokens-max N --against MODULE [--base MODULE] [--times N] [--yes] STORE [THREAD…]
       throughline fuzz [--runs N] [--seed S] [--json] MODULE [STORE [THREAD…]]
       throughline fuzz … MODULE EXPORT.jsonl…
       throughline witness --new-key NAME
       throughline witness --log KEY --key-file FILE --state FILE [--host HOST] [--port N]
       throughline mcp [--store STORE] [--role ROLE] [--actor ID] [--anchor-key-file FILE] MODULE
       throughline proxy --agent URL [--name NAME] [--store STORE] [--host HOST] [--port N]
                         [--header 'NAME: VALUE']… [--forward-header NAME]… [--owner-header NAME] [--origin URL]…
                         [--public-url URL] [--stop-url URL] [--follow-redirects] [--silence SECONDS]
                         [--state-events MODULE] [--anchor-key-file FILE]

create  Writes an application that runs into a new folder: a domain, an agent, a page, a server and a test.
copy    Copies a log into another store, hashes unchanged, and verifies the copy. Stop the servers first.
        A copy that was cut off goes on. Ends with 0 when the copy is whole and sound, 1 when it is not, 2 when
        a store or a key cannot be used.
verify  Checks the chain and the signed heads of a log, and writes nothing. Ends with 0 when all threads are
        sound, 1 when one is not, 2 when it cannot tell, also of a thread that is not there, 3 when all are
        sound and some hold records that no head vouches for. An export shows no heads, and one that is
        redacted or filtered cannot be verified.
replay  Decides the stored proposals of threads again, by the applications or domains that MODULE exports, and
        shows the first differences; writes nothing. Level 1 folds the records alone. With the module that made
        the records as --base, states are compared too. Ends with 0 when all threads are equal, 1 when one
        differs, 2 when one cannot be told or nothing was compared. With --ask the agents of MODULE take each turn
        again, in a fork: this calls their models. It shows what that would use, asks, and compares what the models
        propose. Only turns whose recorded prompt is reproduced count: by MODULE, or by --base.
fuzz    Lets a hostile model and random people loose on the applications that MODULE exports, in memory: no tool
        or effect does any work. With a store, runs begin with its threads. Prints what was accepted beyond
        authority, broken invariants of the domain, rules that do not come to rest and functions that throw, each with
        the shortest steps, as a test to paste. Ends with 0 when nothing was found, 1 when something was, 2 when
        it cannot tell. Needs the package fast-check.
witness Prints a new key for CHECKPOINT_KEY or for a witness. With the key of a log, it signs the checkpoints that its
        servers send, by C2SP's tlog-witness: each only where it goes on from the one before, which it keeps in --state.
mcp     Serves the agents that MODULE exports to the program that starts this one, such as a coding agent, as tools
        of the Model Context Protocol over its standard input and output. Threads are kept in --store, by default in
        ${MCP_STORE}. The person at the other end acts in --role, by default as the operator, and is
        named --actor on record. Needs the package @modelcontextprotocol/server.
proxy   Serves an AG-UI agent that exists already, with a log behind it, until it is told to end. Pages point their
        client to the address that it prints. --header goes with each request to the agent, --forward-header goes on
        from the page's. A thread opens for the sender who began it: by --owner-header, or by the forwarded secrets.
        --stop-url gets a POST when a run is stopped; {threadId} in it is the thread. --silence is how long the agent
        may say nothing. --state-events names a module whose domain decides about the agent's state. The operator
        comes with the bearer token OPERATOR_TOKEN.

A store is sqlite:PATH or postgres://user@host/database. The heads are signed with the keys in FILE, one a line and
the newest first. Without FILE it is SECRET, or the secret that a server has made beside the SQLite store that
is named first.`

const OPTIONS = {
  allowPositionals: true,
  options: {
    help: { type: 'boolean' },
    'anchor-key-file': { type: 'string' },
    'new-key': { type: 'string' },
    'key-file': { type: 'string' },
    log: { type: 'string' },
    state: { type: 'string' },
    host: { type: 'string' },
    port: { type: 'string' },
    runs: { type: 'string' },
    seed: { type: 'string' },
    against: { type: 'string' },
    base: { type: 'string' },
    level: { type: 'string' },
    workers: { type: 'string' },
    json: { type: 'boolean' },
    ask: { type: 'boolean' },
    'tokens-max': { type: 'string' },
    times: { type: 'string' },
    yes: { type: 'boolean' },
    store: { type: 'string' },
    role: { type: 'string' },
    actor: { type: 'string' },
    agent: { type: 'string' },
    name: { type: 'string' },
    header: { type: 'string', multiple: true },
    'forward-header': { type: 'string', multiple: true },
    'owner-header': { type: 'string' },
    origin: { type: 'string', multiple: true },
    'public-url': { type: 'string' },
    'stop-url': { type: 'string' },
    'follow-redirects': { type: 'boolean' },
    silence: { type: 'string' },
    'state-events': { type: 'string' },
  },
} as const

const print = (line: string): void => console.log(line)
process.exitCode = await run(process.argv.slice(2))

async function run(args: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({ ...OPTIONS, args: [...args] })
    const isAsked = values.help || positionals.slice(0, 2).includes('help')
    const ended = isAsked ? undefined : await perform(positionals, values)
    if (ended !== undefined) return ended
    if (isAsked) console.log(USAGE)
    else console.error(USAGE)
    return isAsked ? 0 : EXIT.cannotTell
  } catch (error) {
    if (!isOfArguments(error)) throw error
    console.error(error.message)
    return EXIT.cannotTell
  }
}

type Values = ReturnType<typeof parseArgs<typeof OPTIONS>>['values']

/** Returns the exit code, or undefined when this is no command. */
async function perform(
  [command, first, ...rest]: readonly string[],
  values: Values,
): Promise<number | undefined> {
  if (first === undefined) return performAlone(command, values)
  if (command === 'create') return rest.length > 0 ? undefined : create(first)
  const work = workOn(command, { store: first, rest, values })
  if (!work) return undefined
  const store = storeOf(command, { store: first, rest, values })
  const read = anchorKeysFor(store, values['anchor-key-file'])
  if (read.status === 'read') return work(read.keys)
  console.error(read.fault)
  return EXIT.cannotTell
}

/** Commands that name no store and no module. */
async function performAlone(
  command: string | undefined,
  values: Values,
): Promise<number | undefined> {
  if (command === 'witness') return witness(values, print)
  const isProxy = command === 'proxy' && values.agent !== undefined
  return isProxy ? proxy(values, print) : undefined
}

/** The store whose heads are signed; commands with a module name it otherwise. */
function storeOf(
  command: string | undefined,
  { store, rest: [named = ''], values }: Named,
): string {
  if (command === 'mcp') return values.store ?? MCP_STORE
  return command === 'fuzz' ? named : store
}

interface Named {
  readonly store: string
  readonly rest: readonly string[]
  readonly values: Values
}

/** What a command does with a store, once it has the keys of its heads. */
function workOn(
  command: string | undefined,
  { store, rest, values }: Named,
): ((keys: readonly string[]) => Promise<number>) | undefined {
  const [to, ...more] = rest
  switch (command) {
    case 'copy':
      return to === undefined || more.length > 0 ? undefined : (keys) => copy(store, to, keys)
    case 'verify':
      return (keys) => verify(store, { keys, wanted: rest })
    case 'fuzz': {
      const given = { ...values, module: store, named: rest }
      return (anchorKeys) => fuzzModule({ ...given, anchorKeys }, print)
    }
    case 'replay': {
      const { against } = values
      if (against === undefined) return undefined
      const named = [store, ...rest]
      const given = { ...values, against, named }
      if (!values.ask) return (anchorKeys) => replay({ ...given, anchorKeys }, print)
      const tokensMax = values['tokens-max']
      return tokensMax === undefined
        ? undefined
        : (anchorKeys) => ask({ ...given, tokensMax, anchorKeys }, print)
    }
    case 'mcp': {
      if (rest.length > 0) return undefined
      return async (anchorKeys) => {
        const { serveModule } = await import('./mcp/serve-module.ts')
        return serveModule({ store: MCP_STORE, ...values, module: store, anchorKeys })
      }
    }
    default:
      return undefined
  }
}

function isOfArguments(error: unknown): error is TypeError {
  return error instanceof TypeError && String(Object(error).code).startsWith('ERR_PARSE_ARGS')
}

type VerifyRequest = Required<Pick<VerifyOptions, 'keys' | 'wanted'>>

async function verify(store: string, { keys, wanted }: VerifyRequest): Promise<number> {
  const { HEADS_FILE: heads } = process.env
  const options = { keys, heads, wanted }
  try {
    if (isExport(store)) {
      requireFile(store, 'file')
      return verifyExport(store, wanted, print)
    }
    if (/^postgres(?:ql)?:/.test(store)) {
      return await verifyPostgres({ url: store, ...options }, print)
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    print(`cannot tell: ${error.message}`)
    return EXIT.cannotTell
  }
  const { lines, exitCode } = verifyLog(store.replace(/^sqlite:/, ''), options)
  for (const line of lines) print(line)
  return exitCode
}

function create(folder: string): number {
  if (!createApplication(folder, process.cwd())) {
    console.error(`Cannot create in ${folder}: it is not empty. Name a new folder`)
    return EXIT.cannotTell
  }
  print(`Written. Next: cd ${folder} && npm install && npm test && npm start`)
  return 0
}

async function copy(from: string, to: string, anchorKeys: readonly string[]): Promise<number> {
  if (from.startsWith('sqlite:') && !existsSync(from.slice('sqlite:'.length))) {
    console.error(`Cannot copy "${from}": there is no such file`)
    return EXIT.cannotTell
  }
  try {
    return (await copyStore({ from, to, anchorKeys, print })) ? 0 : 1
  } catch (error) {
    if (!(error instanceof LogError)) throw error
    console.error(error.message)
    return error.code === 'configuration' ? EXIT.cannotTell : 1
  }
}
