/**
 * Projects the sales of all tills into a table of its own, in SQLite. In this checkout:
 * `node --conditions=throughline-source examples/projections/sqlite-sales.ts`. Kill it at any time: the next start goes on, and no sale is missing or doubled.
 */
import { DatabaseSync } from 'node:sqlite'
import { consume, membersOf, open, textOf } from 'throughline'
import { sell, shop } from './shop.ts'

const { STORE = 'sqlite:shop.db', SALES = 'sales.db', VERSION = '1', SELL = '100' } = process.env

const tl = await open({ store: STORE, apps: [shop] })
// Whoever reads the table at the same moment is waited for.
const db = new DatabaseSync(SALES, { timeout: 5_000 })
db.exec(`CREATE TABLE IF NOT EXISTS sales (till TEXT, seq INTEGER, item TEXT, pounds REAL, PRIMARY KEY (till, seq));
  CREATE TABLE IF NOT EXISTS seen (till TEXT PRIMARY KEY, seq INTEGER)`)

const lastSeq = db.prepare('SELECT seq FROM seen WHERE till = ?')
const add = db.prepare('INSERT INTO sales VALUES (?, ?, ?, ?)')
const see = db.prepare('INSERT OR REPLACE INTO seen VALUES (?, ?)')

/** All or nothing: left open, a transaction would refuse every later one. */
function atOnce(work: () => void): void {
  db.exec('BEGIN IMMEDIATE')
  try {
    work()
    db.exec('COMMIT')
  } catch (error) {
    db.exec('ROLLBACK')
    throw error
  }
}

/** Brings one till up to date. The rows and how far they go are one transaction. */
async function bring(till: string): Promise<void> {
  const after = Number(lastSeq.get(till)?.['seq'] ?? -1)
  for await (const records of tl.log.read(till, { after })) {
    atOnce(() => {
      for (const { seq, type, data } of records) {
        const { pounds } = membersOf(data)
        if (type === 'sold') add.run(till, seq, textOf(data, 'item'), Number(pounds))
        see.run(till, seq)
      }
    })
  }
}

// With another version every till is looked at again: delete the table first, and it is built from zero.
const consumer = consume(tl, { name: 'shop.sales', version: VERSION, look: bring })
process.once('SIGTERM', () => {
  consumer.close().then(() => tl.close(), console.error)
})
console.log('open')
await sell(tl, Number(SELL))
