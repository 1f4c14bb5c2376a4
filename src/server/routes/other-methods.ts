import type { Hono } from 'hono'
import { ProblemError, problemResponse } from '../problems/problem.ts'

/** Answers the methods that a path lacks with 405 and those that it has; to be called after all routes. */
export function refuseOtherMethods(app: Hono): void {
  const paths = new Map<string, { readonly path: string; readonly methods: Set<string> }>()
  for (const { method, path } of app.routes) {
    // Middleware is for every method, and a wildcard is no address.
    if (method === 'ALL' || path.includes('*')) continue
    const shape = path.replaceAll(/:\w+/g, ':')
    const known = paths.get(shape) ?? { path, methods: new Set() }
    known.methods.add(method)
    if (method === 'GET') known.methods.add('HEAD')
    paths.set(shape, known)
  }
  for (const { path, methods } of paths.values()) {
    const allow = [...methods].toSorted().join(', ')
    app.all(path, ({ req }) => {
      const detail = `Cannot ${req.method} "${req.path}": it takes ${allow}`
      const answer = problemResponse(new ProblemError('method_not_allowed', 405, { detail }))
      answer.headers.set('allow', allow)
      return answer
    })
  }
}
