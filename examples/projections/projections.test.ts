import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openLog } from 'throughline/log'
import { membersOf } from 'throughline'
import { newFolder } from '../../test/folders.fixture.ts'
import { bareEnvironment } from '../../test/server-process.fixture.ts'
import { timesInTier } from '../../test/tier.fixture.ts'
import {
  execute,
  noPostgres,
  postgresServer,
} from '../../src/storage/postgres/postgres-server.fixture.ts'

const server = postgresServer()
const KILLS = timesInTier({ quick: 2, full: 40 })
const WAIT = { timeout: 30_000 }

type Setting = Readonly<Record<string, string>>

function start(example: string, env: Setting) {
  const program = spawn(
    process.execPath,
    ['--conditions=throughline-source', `examples/projections/${example}`],
    {
      env: { ...bareEnvironment(), ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  onTestFinished(() => void program.kill('SIGKILL'))
  return program
}

async function stop(program: ReturnType<typeof start>, signal: NodeJS.Signals): Promise<void> {
  program.kill(signal)
  if (program.exitCode === null && program.signalCode === null) await once(program, 'exit')
}

/** Kills the program at moments of its work, each a bit later than the one before. */
async function killInWork(example: string, env: Setting): Promise<void> {
  for (let kill = 0; kill < KILLS; kill++) {
    const program = start(example, { ...env, SELL: '100000' })
    for await (const text of program.stdout) if (String(text).includes('sold')) break
    await pause((200 * kill) / KILLS)
    await stop(program, 'SIGKILL')
  }
}

function saleText({ till, seq, pounds }: Readonly<Record<string, unknown>>): string {
  return `${String(till)} ${Number(seq)} ${Number(pounds)}`
}

/** The sales on record, each as its text. */
async function soldIn(store: string): Promise<readonly string[]> {
  const log = await openLog(store)
  const sold: string[] = []
  for (const till of await log.threads()) {
    for await (const records of log.read(till)) {
      const sales = records.filter(({ type }) => type === 'sold')
      sold.push(
        ...sales.map(({ seq, data }) => saleText({ till, seq, pounds: membersOf(data)['pounds'] })),
      )
    }
  }
  await log.close()
  return sold.toSorted()
}

test('a table in SQLite has each sale once after kills, and after it is built from zero', async () => {
  const folder = newFolder()
  const SALES = join(folder, 'sales.db')
  const env = { STORE: `sqlite:${join(folder, 'shop.db')}`, SALES }
  const rows = () => {
    const table = new DatabaseSync(SALES, { readOnly: true })
    const found = table.prepare('SELECT till, seq, pounds FROM sales').all()
    table.close()
    return found.map(saleText).toSorted()
  }
  const brought = async (setting: Setting) => {
    const sold = await soldIn(env.STORE)
    const program = start('sqlite-sales.ts', { ...env, SELL: '0', ...setting })
    await once(program.stdout, 'data')
    await expect.poll(rows, WAIT).toEqual(sold)
    await stop(program, 'SIGTERM')
    return sold.length
  }
  await killInWork('sqlite-sales.ts', env)
  expect(await brought({})).toBeGreaterThanOrEqual(KILLS * 10)
  const table = new DatabaseSync(SALES)
  table.exec('DELETE FROM sales; DELETE FROM seen')
  table.close()
  await brought({ VERSION: '2' })
})

test.skipIf(noPostgres)(
  'a table in Postgres has each sale once, although two programs sell and are killed',
  async () => {
    const STORE = await server.newDatabase()
    const rows = async () =>
      (await execute(STORE, 'SELECT till, seq, pounds FROM sales')).map(saleText).toSorted()
    await Promise.all([1, 2].map(() => killInWork('postgres-sales.ts', { STORE })))
    const sold = await soldIn(STORE)
    const program = start('postgres-sales.ts', { STORE, SELL: '0' })
    await once(program.stdout, 'data')
    await expect.poll(rows, WAIT).toEqual(sold)
    expect(sold.length).toBeGreaterThanOrEqual(KILLS * 10)
    await stop(program, 'SIGTERM')
  },
)
