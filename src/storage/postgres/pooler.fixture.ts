import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A pooler as PgBouncer is: by default it refuses settings that it does not know; it drops all notices. */
export type Pooler = 'refuses settings' | 'delivers no notices'

/** Passes connections on to a Postgres of this machine, and returns the port to connect to. */
export async function poolerBefore(port: number, kind: Pooler): Promise<number> {
  const pooler = createServer((client) => {
    const server = connect(port, '127.0.0.1')
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('close', () => other.destroy()).on('error', () => other.destroy())
    }
    passRequests(client, server, kind)
    passAnswers(server, client)
  })
  pooler.listen(0, '127.0.0.1')
  await once(pooler, 'listening')
  onTestFinished(() => void pooler.close())
  return (pooler.address() as AddressInfo).port
}

function passRequests(client: Socket, server: Socket, kind: Pooler): void {
  let isFirst = true
  client.on('data', (bytes: Buffer) => {
    const hasSetting = isFirst && bytes.includes('lock_timeout')
    isFirst = false
    if (hasSetting && kind === 'refuses settings') client.end(REFUSAL)
    else server.write(bytes)
  })
}

const NOTICE = 'A'.charCodeAt(0)

/** A message is a byte for its kind, four for its length, and the rest of that length. */
function passAnswers(server: Socket, client: Socket): void {
  let held = Buffer.alloc(0)
  server.on('data', (bytes: Buffer) => {
    held = Buffer.concat([held, bytes])
    while (held.length >= 5 && held.length > held.readUInt32BE(1)) {
      const end = 1 + held.readUInt32BE(1)
      if (held[0] !== NOTICE) client.write(held.subarray(0, end))
      held = held.subarray(end)
    }
  })
}

const FIELDS = 'SFATAL\0VFATAL\0C08P01\0Munsupported startup parameter: lock_timeout\0\0'
const REFUSAL = Buffer.concat([
  Buffer.from('E'),
  Buffer.from(new Uint32Array([FIELDS.length + 4]).buffer).reverse(),
  Buffer.from(FIELDS),
])
