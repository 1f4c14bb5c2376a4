import type { Hono } from 'hono'
import { ServeError } from '../problems/serve-error.ts'

type Route = Pick<Hono['routes'][number], 'method' | 'path'>

/** @throws {@link ServeError} `hidden_route` where a route behind the first `count` can never be reached */
export function requireReachable(routes: readonly Route[], count: number): void {
  const before = routes.slice(0, count)
  for (const route of routes.slice(count)) {
    const hiding = before.find((each) => hides(each, route))
    if (!hiding) continue
    const [own, other] = [route, hiding].map(({ method, path }) => `${method} ${path}`)
    const mend = 'give it another path, or put its extension first'
    throw new ServeError(
      'hidden_route',
      `Cannot mount "${own}": "${other}" answers for it; ${mend}`,
    )
  }
}

/** Whether every address of `other` matches `one`. Middleware hides nothing: it passes requests on. */
function hides(one: Route, other: Route): boolean {
  if (one.method === 'ALL' || one.method !== other.method) return false
  const [parts, others] = [one.path.split('/'), other.path.split('/')]
  if (parts.length !== others.length) return false
  return parts.every((part, at) => /^:\w+$/.test(part) || part === others[at])
}
