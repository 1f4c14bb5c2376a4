import { createAdaptorServer } from '@hono/node-server'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { simulator } from './simulator.ts'
import type { SimulatorOptions } from './simulator.ts'

export interface ServedLender {
  readonly url: string
  close(): void
}

/** Serves the simulator on loopback. Port 0 picks a free one. */
export async function serveLender(
  options: SimulatorOptions & { readonly port: number },
): Promise<ServedLender> {
  // The adaptor's union covers HTTP/2; without options it makes the plain server of node:http.
  const server = createAdaptorServer({ fetch: simulator(options).fetch }) as Server
  server.listen(options.port, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
