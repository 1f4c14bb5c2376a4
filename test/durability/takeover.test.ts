import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { EventLog } from '../../src/log/index.ts'
import { openLog } from '../../src/storage/index.ts'
import { freshPath, recordsOf } from '../../src/storage/sqlite-folder.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'
import { programArguments } from '../program.fixture.ts'

const TAKEOVERS = timesInTier({ quick: 4, full: 30 })
/** How long a writer may go on before it is stopped between two transactions. */
const TRANSACTION_WAIT_MS = 30_000
const STOPS_WITHIN_MS = 10
/** Exit code of a process that an error ended. */
const REFUSED = 1
const GOES_ON_MS = 10_000

/** Starts a process that appends until an append is refused. */
function startWriter(path: string) {
  const child = spawn(process.execPath, [...programArguments('append-for-a-while'), path], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk))
  const ended = once(child, 'close').then(([code]) => Number(code))
  return { child, ended, acknowledged: () => printed.split('\n').slice(0, -1) }
}

type Writer = ReturnType<typeof startWriter>

/** Waits for the exit code; kills a writer that goes on. */
async function endOf({ child, ended }: Writer): Promise<number> {
  const patience = new AbortController()
  const { signal } = patience
  const killing = setTimeout(GOES_ON_MS, undefined, { signal }).then(() => child.kill('SIGKILL'))
  const code = await ended
  patience.abort()
  await killing.catch(() => {})
  return code
}

/** Stops a writer at any moment, removes its lock and opens the log in its place. */
async function takeOver(path: string, { child }: Writer): Promise<EventLog> {
  child.kill('SIGSTOP')
  await expect(openLog(`sqlite:${path}`)).rejects.toMatchObject({ code: 'locked' })
  rmSync(`${path}.lock`)
  // An open transaction cannot be taken away from its writer.
  if (isInTransaction(path)) await stopAfterTransaction(path, child)
  return openLog(`sqlite:${path}`)
}

function isInTransaction(path: string): boolean {
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    database.exec('BEGIN IMMEDIATE; ROLLBACK')
    return false
  } catch {
    return true
  } finally {
    database.close()
  }
}

/**
 * Resumes the writer and begins a transaction as soon as it ends its own. It always does: nothing reads
 * the writer's output meanwhile, so it blocks between transactions once the pipe is full.
 */
async function stopAfterTransaction(path: string, child: Writer['child']): Promise<void> {
  const database = new DatabaseSync(path, { timeout: TRANSACTION_WAIT_MS })
  child.kill('SIGCONT')
  database.exec('BEGIN IMMEDIATE')
  child.kill('SIGSTOP')
  // The signal takes a moment, in which the writer cannot begin another transaction.
  await setTimeout(STOPS_WITHIN_MS)
  database.exec('ROLLBACK')
  database.close()
}

test(
  `[D11] 0 events enter from a writer that is stopped, replaced and woken, ${TAKEOVERS} times`,
  async ({ annotate }) => {
    let entered = 0
    let before = 0
    for (let takeover = 0; takeover < TAKEOVERS; takeover++) {
      const path = freshPath()
      const old = startWriter(path)
      await once(old.child.stdout, 'data')
      await setTimeout((20 * takeover) / TAKEOVERS)
      const log = await takeOver(path, old)
      const threads = ['a', 'b', 'c']
      const heads = new Map<string, number>()
      for (const thread of threads) {
        heads.set(thread, await log.head(thread))
        await log.append(thread, [{ type: 'taken_over', data: {} }])
      }
      old.child.kill('SIGCONT')
      expect(await endOf(old)).toBe(REFUSED)
      const stored = new Set<string>()
      for (const thread of threads) {
        await log.append(thread, [{ type: 'taken_over', data: {} }])
        const records = await recordsOf(log, thread)
        for (const { seq, id, hash } of records) stored.add(`${thread} ${seq} ${id} ${hash}`)
        const since = records.slice((heads.get(thread) ?? -1) + 1)
        entered += since.filter(({ type }) => type !== 'taken_over').length
        expect(await log.verify(thread)).toMatchObject({ ok: true })
      }
      expect(old.acknowledged().filter((line) => !stored.has(line))).toEqual([])
      before += old.acknowledged().length
      await log.close()
    }
    expect(entered).toBe(0)
    const of = `${TAKEOVERS} takeovers, ${before.toLocaleString('en')} acknowledged before them`
    await annotate(`${entered} events of the old writer entered: ${of}`, 'promise')
  },
  TAKEOVERS * 15_000,
)
