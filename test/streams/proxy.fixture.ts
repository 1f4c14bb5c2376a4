import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

/** What happens to one connection on its way. Numbers of bytes count what the server says. */
export type Fault =
  | { readonly kind: 'none' }
  /** Both sides are ended after that many bytes. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** As a cut, but bytes in flight to the client are thrown away. */
  | { readonly kind: 'reset'; readonly afterBytes: number }
  /** After that many bytes nothing arrives any more, and neither side notices. */
  | { readonly kind: 'half'; readonly afterBytes: number }
  /** The connection is taken, and nothing is ever said. */
  | { readonly kind: 'blackHole' }
  | { readonly kind: 'delay'; readonly ms: number }
  /** One byte at a time. */
  | { readonly kind: 'drip' }

export interface Proxy {
  readonly url: string
  /** The number of faults of each kind that took effect. */
  readonly done: Readonly<Record<Fault['kind'], number>>
  close(): Promise<void>
}

/** Passes a server on; each connection suffers the next fault. */
export async function startProxy(upstream: string, nextFault: () => Fault): Promise<Proxy> {
  const { hostname, port } = new URL(upstream)
  const done = { none: 0, cut: 0, reset: 0, half: 0, blackHole: 0, delay: 0, drip: 0 }
  const open = new Set<Socket>()
  const track = (socket: Socket): Socket => {
    open.add(socket)
    return socket.setNoDelay().on('close', () => open.delete(socket))
  }
  const server = createServer((near) => {
    track(near)
    const fault = nextFault()
    if (fault.kind === 'blackHole') {
      done.blackHole++
      near.on('error', () => near.destroy()).resume()
      return
    }
    const far = track(connect(Number(port), hostname))
    const part = (): void => {
      far.destroy()
      near.destroy()
    }
    near.on('error', part).on('close', part).pipe(far)
    far.on('error', part)
    pass({ near, far, harmed: () => done[fault.kind]++ }, fault)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    done,
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

interface Connection {
  readonly near: Socket
  readonly far: Socket
  readonly harmed: () => void
}

function pass(connection: Connection, fault: Exclude<Fault, { kind: 'blackHole' }>): void {
  const { near, far, harmed } = connection
  switch (fault.kind) {
    case 'none':
      return void far.pipe(near)
    case 'delay':
      harmed()
      far.on('data', (bytes) => setTimeout(() => near.write(bytes), fault.ms))
      return void far.on('end', () => setTimeout(() => near.end(), fault.ms))
    case 'drip':
      harmed()
      return void drip(connection).catch(() => near.destroy())
    case 'cut':
    case 'reset':
    case 'half':
      return passUntil(connection, fault)
  }
}

function passUntil(
  { near, far, harmed }: Connection,
  { kind, afterBytes }: Extract<Fault, { afterBytes: number }>,
): void {
  let left = afterBytes
  far.on('end', () => near.end())
  // A client that gives up before the last of the bytes has met the silence too.
  if (kind === 'half') near.once('close', harmed)
  far.on('data', (bytes: Buffer) => {
    if (left <= 0) return
    near.write(bytes.subarray(0, left))
    left -= bytes.length
    if (left > 0 || kind === 'half') return
    harmed()
    far.destroy()
    // An end lets the bytes before the cut arrive; a reset does not.
    if (kind === 'cut') near.end()
    else near.resetAndDestroy()
  })
}

async function drip({ near, far }: Connection): Promise<void> {
  for await (const bytes of far as AsyncIterable<Buffer>) {
    for (const byte of bytes) {
      if (near.destroyed) return
      if (!near.write(Buffer.of(byte))) await once(near, 'drain')
      await new Promise(setImmediate)
    }
  }
  near.end()
}
