import { existsSync } from 'node:fs'
import { openLog, uuidv7 } from 'throughline/log'
import type { NewEvent } from 'throughline/log'
import { Pool } from 'pg'
import type { Benchmark, Run } from './benchmark.ts'
import { costBeside, faster, yieldsAll } from './goals.ts'

/** An empty database, such as `postgres://postgres@127.0.0.1:5432/bench`; without it nothing is measured. */
const DATABASE = process.env['BENCH_POSTGRES'] ?? ''
const HAND_WRITTEN = 'hand-written compare-and-append'
const EMMETT = 'emmett-postgresql'
/** It has a lock file of its own: `npm ci --prefix bench/emmett` installs it. */
const hasEmmett = existsSync(new URL('emmett/node_modules', import.meta.url))
const BODY = 'x'.repeat(200)
const CONNECTIONS = 6

interface Load {
  readonly threads: number
  readonly appends: number
  readonly events: number
}

interface Writer {
  append(thread: string, head: number, events: number): Promise<unknown>
}

export const postgres: readonly Benchmark[] =
  DATABASE === ''
    ? []
    : [
        appends('W6 one', 'durable appends to Postgres, one by one', {
          threads: 1,
          appends: 200,
          events: 1,
          share: 0.75,
        }),
        appends('W6 256', 'batches of 256 to Postgres', {
          threads: 1,
          appends: 10,
          events: 256,
          share: 0.6,
        }),
        appends('W6 many', '32 at once on 32 threads, to Postgres', {
          threads: 32,
          appends: 20,
          events: 1,
          share: 1.5,
          timesEmmett: 4,
        }),
      ]

function appends(
  id: string,
  what: string,
  { share, timesEmmett, ...load }: Load & { readonly share: number; readonly timesEmmett?: number },
): Benchmark {
  const units = load.threads * load.appends * load.events
  return {
    id,
    what,
    unit: 'event',
    units,
    yields: 'events',
    run: () => writing(ours, load),
    peers: [
      { name: HAND_WRITTEN, prepare: () => writing(handWritten, load) },
      ...(hasEmmett ? [{ name: EMMETT, prepare: () => writing(emmett, load) }] : []),
    ],
    goals: [
      yieldsAll(units),
      costBeside(HAND_WRITTEN, 1 / share),
      ...(hasEmmett && timesEmmett !== undefined ? [faster(EMMETT, timesEmmett)] : []),
    ],
  }
}

async function writing(open: () => Promise<Writer>, load: Load): Promise<Run> {
  const writer = await open()
  let runs = 0
  return async () => {
    const begun = process.hrtime.bigint()
    const prefix = `${process.pid}-${++runs}`
    const writeAll = async (thread: string): Promise<void> => {
      for (let at = 0; at < load.appends; at++) {
        await writer.append(thread, at * load.events - 1, load.events)
      }
    }
    await Promise.all(Array.from({ length: load.threads }, (_, at) => writeAll(`${prefix}-${at}`)))
    const yielded = load.threads * load.appends * load.events
    return { cost: Number(process.hrtime.bigint() - begun), yielded }
  }
}

async function ours(): Promise<Writer> {
  const log = await openLog(DATABASE, { anchorKeys: ['a-secret-of-at-least-32-characters-0'] })
  const event: NewEvent = { type: 'noted', data: { body: BODY } }
  return {
    append: (thread, head, count) =>
      log.append(
        thread,
        Array.from({ length: count }, () => event),
        { expectedVersion: head },
      ),
  }
}

/** Its event store: streams, positions and metadata, no hashes, no signed heads, no leases. */
async function emmett(): Promise<Writer> {
  const { href } = new URL('emmett/writer.mjs', import.meta.url)
  // A package of its own, without types.
  const { emmettWriter } = (await import(href)) as { emmettWriter: (parts: object) => Writer }
  return emmettWriter({ url: DATABASE, connections: CONNECTIONS, data: { body: BODY } })
}

/** The least that keeps order, ids and expected versions: no hashes, no signed heads, no leases. */
async function handWritten(): Promise<Writer> {
  const pool = new Pool({ connectionString: DATABASE, max: CONNECTIONS })
  await pool.query(`
    CREATE TABLE IF NOT EXISTS bench_heads (thread text PRIMARY KEY, seq integer NOT NULL);
    CREATE TABLE IF NOT EXISTS bench_records (thread text, seq integer, id uuid, body text,
      PRIMARY KEY (thread, seq), UNIQUE (thread, id))`)
  const first = 'INSERT INTO bench_heads VALUES ($1, -1) ON CONFLICT DO NOTHING'
  const append = `
    WITH head AS (
      UPDATE bench_heads SET seq = seq + cardinality($3::uuid[]) WHERE thread = $1 AND seq = $2 RETURNING seq)
    INSERT INTO bench_records
      SELECT $1, $2 + given.place, given.id, given.body
      FROM head, unnest($3::uuid[], $4::text[]) WITH ORDINALITY AS given (id, body, place)`
  const body = JSON.stringify({ type: 'noted', data: { body: BODY } })
  return {
    async append(thread, head, count) {
      if (head < 0) await pool.query(first, [thread])
      const ids = Array.from({ length: count }, uuidv7)
      await pool.query(append, [thread, head, ids, ids.map(() => body)])
    },
  }
}
