/** The same as `sqlite-sales.ts` in Postgres: the log and the table may be in one database, or in two. */
import { Pool } from 'pg'
import { consume, membersOf, open, textOf } from 'throughline'
import { sell, shop } from './shop.ts'

const { STORE = '', SALES = STORE, VERSION = '1', SELL = '100' } = process.env

const tl = await open({ store: STORE, apps: [shop] })
const db = new Pool({ connectionString: SALES })
// Two programs that start at once make the tables one after the other.
await db.query(`SELECT pg_advisory_xact_lock(1);
  CREATE TABLE IF NOT EXISTS sales (till text, seq bigint, item text, pounds numeric, PRIMARY KEY (till, seq));
  CREATE TABLE IF NOT EXISTS seen (till text PRIMARY KEY, seq bigint)`)

/** One statement is one transaction: the rows, and how far they go. */
const BRING = `WITH sold AS (INSERT INTO sales
    SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::numeric[]) ON CONFLICT DO NOTHING)
  INSERT INTO seen VALUES ($1, $5) ON CONFLICT (till) DO UPDATE SET seq = excluded.seq`

async function bring(till: string): Promise<void> {
  const { rows } = await db.query('SELECT seq FROM seen WHERE till = $1', [till])
  const after = Number(rows[0]?.seq ?? -1)
  for await (const records of tl.log.read(till, { after })) {
    const sold = records.filter(({ type }) => type === 'sold')
    const seqs = sold.map(({ seq }) => seq)
    const items = sold.map(({ data }) => textOf(data, 'item'))
    const pounds = sold.map(({ data }) => Number(membersOf(data)['pounds']))
    await db.query(BRING, [till, seqs, items, pounds, records.at(-1)?.seq])
  }
}

const consumer = consume(tl, { name: 'shop.sales', version: VERSION, look: bring })
process.once('SIGTERM', () => {
  consumer
    .close()
    .then(() => Promise.all([tl.close(), db.end()]))
    .catch(console.error)
})
console.log('open')
await sell(tl, Number(SELL))
