import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** Forwards to the server at the address, can cut every connection, and can be gone for a while. */
export async function startCuttableProxy(url: string) {
  const target = Number(new URL(url).port)
  let isGone = false
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    if (isGone) return near.destroy()
    const far = connect({ port: target, host: '127.0.0.1' })
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from.once('error', () => to.destroy())
      from.once('close', () => {
        to.destroy()
        sockets.delete(from)
      })
    }
    return undefined
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    server.close()
    cut()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    goAway(): void {
      isGone = true
      cut()
    },
    comeBack(): void {
      isGone = false
    },
  }
}
