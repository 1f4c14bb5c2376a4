import { execFile } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { newFolder } from '../../../test/folders.fixture.ts'

const run = promisify(execFile)

/** Where Debian keeps the programs of its newest Postgres. */
const VERSIONS = '/usr/lib/postgresql'
const [NEWEST = ''] = existsSync(VERSIONS)
  ? readdirSync(VERSIONS).toSorted((a, b) => Number(b) - Number(a))
  : []
const PROGRAMS = join(VERSIONS, NEWEST, 'bin')

/** The files of a new server, made once for all tests: a copy takes a seventh of the time. */
const NEW_SERVER = resolve('test/.output', `postgres-${NEWEST}`)

const STARTS_MAX = 25
/** Returns when they have ended. */
const END_OTHERS = `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`

/** Why tests with Postgres cannot run here, if they cannot: `apt-get install postgresql` mends it. */
export const noPostgres = !existsSync(join(PROGRAMS, 'initdb'))

export interface PostgresServer {
  readonly port: number
  /** The address of a new, empty database. */
  newDatabase(): Promise<string>
  /** The address of one database that each call empties: that takes a tenth of a new one's time. */
  emptiedDatabase(): Promise<string>
  start(settings?: readonly string[]): Promise<void>
  stop(mode: 'fast' | 'immediate'): Promise<void>
  /** Kills all its processes at once, as a machine that fails would. */
  kill(): Promise<void>
  /** Stops all its processes in mid-work; returns a function that lets them go on. */
  pause(): () => void
  /** A second server that every commit waits for, until it is promoted. */
  newStandby(): Promise<Standby>
}

export interface Standby extends Pick<PostgresServer, 'port' | 'stop'> {
  promote(): Promise<void>
}

/** A Postgres of this file's own: it begins before the first test and ends after the last. */
export function postgresServer(): PostgresServer {
  const server = new TemporaryServer()
  beforeAll(() => (noPostgres ? undefined : server.create()))
  afterAll(() => (noPostgres ? undefined : server.stop('immediate')))
  return server
}

/** Runs statements on a database, as somebody beside the log would. */
export async function execute(
  url: string,
  ...statements: readonly string[]
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    let rows: readonly Readonly<Record<string, unknown>>[] = []
    for (const statement of statements) ({ rows } = await client.query(statement))
    return rows
  } finally {
    await client.end()
  }
}

class TemporaryServer implements PostgresServer, Standby {
  #folder = ''
  #databases = 0
  #emptied: Promise<{ url: string; client: Client }> | undefined
  port = 0

  async create(): Promise<void> {
    await this.#newFolder()
    if (!existsSync(NEW_SERVER)) await this.#makeNewServer()
    await run('cp', ['-a', NEW_SERVER, this.#data])
    await this.start()
  }

  async #makeNewServer(): Promise<void> {
    const made = join(this.#folder, 'made')
    const options = ['--no-sync', '--auth=trust', '--username=postgres', '--encoding=UTF8']
    await this.#program('initdb', '-D', made, '--locale=C', ...options)
    const copy = `${NEW_SERVER}-${process.pid}`
    mkdirSync(dirname(copy), { recursive: true })
    await run('cp', ['-a', made, copy])
    // Another file may have been faster.
    if (existsSync(NEW_SERVER)) rmSync(copy, { recursive: true })
    else renameSync(copy, NEW_SERVER)
  }

  async newStandby(): Promise<Standby> {
    const standby = new TemporaryServer()
    await standby.#newFolder()
    const from = ['-h', '127.0.0.1', '-p', String(this.port), '-U', 'postgres']
    await standby.#program(
      'pg_basebackup',
      ...from,
      '-D',
      standby.#data,
      '-R',
      '-c',
      'fast',
      '--no-sync',
    )
    await standby.start()
    const names = "ALTER SYSTEM SET synchronous_standby_names = '*'"
    await execute(this.#url('postgres'), names, 'SELECT pg_reload_conf()')
    return standby
  }

  promote(): Promise<void> {
    return this.#program('pg_ctl', 'promote', '-w', '-D', this.#data)
  }

  async #newFolder(): Promise<void> {
    this.#folder = newFolder()
    this.port = await freePort()
    const { uid, gid } = await owner()
    if (uid !== undefined && gid !== undefined) chownSync(this.#folder, uid, gid)
  }

  async start(settings: readonly string[] = []): Promise<void> {
    const given = [
      `port=${this.port}`,
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${this.#folder}`,
      'max_connections=200',
      ...settings,
    ]
    const options = given.map((setting) => `-c ${setting}`).join(' ')
    const log = join(this.#folder, 'server.log')
    const start = () =>
      this.#program('pg_ctl', 'start', '-w', '-D', this.#data, '-l', log, '-o', options)
    for (let tries = 1; ; tries++) {
      try {
        return await start()
      } catch (error) {
        // A process of the server that was killed may hold its memory for a moment longer.
        if (tries === STARTS_MAX) throw error
        await setTimeout(200)
      }
    }
  }

  async stop(mode: 'fast' | 'immediate'): Promise<void> {
    if (!existsSync(join(this.#data, 'postmaster.pid'))) return
    await this.#program('pg_ctl', 'stop', '-w', '-D', this.#data, '-m', mode)
  }

  async kill(): Promise<void> {
    const processes = this.#processes()
    for (const each of processes) process.kill(each, 'SIGKILL')
    while (processes.some((each) => existsSync(`/proc/${each}/cwd`))) await setTimeout(5)
    rmSync(join(this.#data, 'postmaster.pid'), { force: true })
  }

  pause(): () => void {
    const processes = this.#processes()
    for (const each of processes) process.kill(each, 'SIGSTOP')
    return () => {
      // The first one, once it goes on, clears away those that had ended before they were stopped.
      const left = processes.filter((each) => existsSync(`/proc/${each}`))
      for (const each of left.toReversed()) process.kill(each, 'SIGCONT')
    }
  }

  /** The first one, which starts the others, and then the others. */
  #processes(): readonly number[] {
    const [line = ''] = readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n')
    const children = readFileSync(`/proc/${line}/task/${line}/children`, 'utf8')
    return [line, ...children.trim().split(' ')].map(Number)
  }

  async newDatabase(): Promise<string> {
    const name = `store_${++this.#databases}`
    await execute(this.#url('postgres'), `CREATE DATABASE ${name}`)
    return this.#url(name)
  }

  async emptiedDatabase(): Promise<string> {
    this.#emptied ??= this.#openDatabase()
    const { url, client } = await this.#emptied
    // A log that was just closed may still have a statement there, and each would wait for the other.
    await client.query(END_OTHERS)
    await client.query('DROP SCHEMA IF EXISTS throughline, throughline_keys CASCADE')
    return url
  }

  async #openDatabase(): Promise<{ url: string; client: Client }> {
    const url = await this.newDatabase()
    const client = new Client({ connectionString: url })
    // The server is stopped while this connection is open.
    client.on('error', () => undefined)
    await client.connect()
    return { url, client }
  }

  get #data(): string {
    return join(this.#folder, 'data')
  }

  #url(database: string): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`
  }

  async #program(name: string, ...parameters: readonly string[]): Promise<void> {
    await run(join(PROGRAMS, name), parameters, { cwd: this.#folder, ...(await owner()) })
  }
}

/** Postgres refuses to run as root; then Debian's user for it runs it. */
async function owner(): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (which) => Number((await run('id', [which, 'postgres'])).stdout)),
  )
  return { ...(uid !== undefined && { uid }), ...(gid !== undefined && { gid }) }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
