import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** The bytes that a connection may receive before it is cut; undefined never cuts it. */
export type BytesUntilCut = (connection: number) => number | undefined

/** A TCP proxy in front of a server that destroys the sockets of a connection after some bytes. */
export async function cuttingProxy(url: string, bytesUntilCut: BytesUntilCut) {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  const cuts = { count: 0 }
  let connections = 0
  const proxy = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
    }
    let left = bytesUntilCut(connections++) ?? Number.POSITIVE_INFINITY
    client.pipe(upstream)
    upstream.on('data', (bytes) => {
      const part = bytes.subarray(0, left)
      left -= part.length
      if (left > 0) return void client.write(part)
      cuts.count++
      client.write(part, () => {
        client.destroy()
        upstream.destroy()
      })
    })
    upstream.on('end', () => client.end())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    proxy.close()
    for (const socket of sockets) socket.destroy()
  })
  // A TCP server's address is an object, only a pipe's is a string.
  const address = proxy.address() as AddressInfo
  return { url: `http://127.0.0.1:${address.port}`, cuts }
}

/** The same numbers below 1 for the same seed. */
export function seededRandom(seed: number): () => number {
  let at = seed
  return () => {
    at = (at * 1_664_525 + 1_013_904_223) % 2 ** 32
    return at / 2 ** 32
  }
}
