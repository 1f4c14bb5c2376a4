import type { Context } from 'hono'

/** Hono's own `header` copies the whole answer each time, its body as a stream. */
export function setHeader(context: Context, name: string, value: string): void {
  try {
    context.res.headers.set(name, value)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    // The answer of a `fetch` that an extension passes on cannot be changed, only copied.
    context.header(name, value)
  }
}
