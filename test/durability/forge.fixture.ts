import { hash, randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'

/** Adds records behind a thread's last one as an attacker with the database, but without the key. */
export function forge(path: string, thread: string, count: number): void {
  const database = new DatabaseSync(path)
  database.prepare('INSERT OR IGNORE INTO threads (name) VALUES (?)').run(thread)
  const found = database.prepare('SELECT number FROM threads WHERE name = ?').get(thread)
  const number = Number(found?.['number'])
  const last = database
    .prepare('SELECT seq, hash FROM records WHERE thread = ? ORDER BY seq DESC LIMIT 1')
    .get(number)
  let [seq, prev] = [Number(last?.['seq'] ?? -1), String(last?.['hash'] ?? '0'.repeat(64))]
  const insert = database.prepare(
    'INSERT INTO records (thread, seq, id, hash, body) VALUES (?, ?, ?, ?, ?)',
  )
  for (let n = 0; n < count; n++) {
    seq++
    const id = randomUUID()
    const event = { type: 'counted', data: { n: seq }, origin: { source: 'system', depth: 0 } }
    const body = JSON.stringify({ seq, id, thread, ts: 1_000, ...event, v: 1, prev })
    prev = hash('sha256', `${prev}\n${body}`)
    insert.run(number, seq, id, prev, body)
  }
  database.close()
}
