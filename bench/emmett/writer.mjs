// emmett's event store in Postgres, as its documentation opens it, over as many connections as the others use.
import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql'
import { Pool } from 'pg'

export function emmettWriter({ url, connections, data }) {
  const pool = new Pool({ connectionString: url, max: connections })
  const store = getPostgreSQLEventStore(url, { connectionOptions: { pooled: true, pool } })
  return {
    append: (stream, head, count) =>
      store.appendToStream(
        stream,
        Array.from({ length: count }, () => ({ type: 'noted', data })),
        { expectedStreamVersion: head < 0 ? 'STREAM_DOES_NOT_EXIST' : BigInt(head + 1) },
      ),
  }
}
