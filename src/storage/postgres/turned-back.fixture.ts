import { execute } from './postgres-server.fixture.ts'

/**
 * Returns a function that puts a thread back to what it holds now, its signed head included, as somebody who can
 * write to the database would; a thread that is not there yet is removed.
 */
export async function remembered(url: string, thread: string): Promise<() => Promise<void>> {
  const [head] = await execute(url, `SELECT * FROM throughline.threads WHERE name = '${thread}'`)
  const of = `thread = (SELECT number FROM throughline.threads WHERE name = '${thread}')`
  const last = String(head?.['seq'] ?? -1)
  const put = head
    ? `UPDATE throughline.threads SET seq = ${last}, hash = '${String(head['hash'])}',
        ts = ${String(head['ts'])}, sum = '${String(head['sum'])}' WHERE name = '${thread}'`
    : `DELETE FROM throughline.threads WHERE name = '${thread}'`
  return async () => {
    await execute(url, `DELETE FROM throughline.records WHERE ${of} AND seq > ${last}`, put)
  }
}
