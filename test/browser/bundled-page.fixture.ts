import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { bundled } from '../../src/client/bundled-bytes.fixture.ts'

/** Serves a page that runs this code, at `/`; other requests go to the listener. Returns the page's address. */
export async function serveBundled(code: string, listener: RequestListener): Promise<string> {
  const script = (await bundled(code)).replaceAll('</script', '<\\/script')
  const html = `<!doctype html><title>Page</title><div></div><script type="module">${script}</script>`
  const server = createServer((request, answer) => {
    if (request.url !== '/') return listener(request, answer)
    answer.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  // A TCP server's address is an object, only a pipe's is a string.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
