import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { isIPv4, isIPv6 } from 'node:net'

/** Groups of an IPv6 address, and of its /64 prefix: one customer may use all addresses of a /64. */
const GROUPS = 8
const NETWORK_GROUPS = 4

/**
 * Returns the address that a request came from, an IPv6 address as its /64. With a
 * public URL, the server is behind our proxy, and the last `X-Forwarded-For` entry, which it wrote, counts.
 */
export function clientAddress(
  context: Context,
  { publicUrl }: { readonly publicUrl?: string | undefined },
): string | undefined {
  const forwarded = context.req.header('x-forwarded-for')?.split(',').at(-1)?.trim()
  if (publicUrl !== undefined && forwarded !== undefined) {
    const address = network(forwarded)
    if (address !== undefined) return address
  }
  // Only node's adaptor has bindings; a plain call of `fetch` does not know who called.
  const bindings: Partial<HttpBindings> | undefined = context.env
  return network(bindings?.incoming?.socket.remoteAddress ?? '')
}

function network(text: string): string | undefined {
  const mapped = /^::ffff:([\d.]+)$/i.exec(text)?.[1] ?? text
  if (isIPv4(mapped)) return mapped
  const [address = ''] = text.split('%')
  if (!isIPv6(address)) return undefined
  // A URL spells an address in one way only.
  const spelled = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = [], tail = []] = spelled.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array.from({ length: GROUPS - head.length - tail.length }, () => '0')
  return `${[...head, ...zeros, ...tail].slice(0, NETWORK_GROUPS).join(':')}::/64`
}
