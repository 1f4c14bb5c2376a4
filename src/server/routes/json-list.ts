import type { Context } from 'hono'

/** A JSON answer with one long list. */
export interface ListAnswer {
  readonly name: string
  /** Each entry as JSON, written while other work had its turns. */
  readonly texts: readonly string[]
  /** The other members of the answer; at least one. */
  readonly rest: Readonly<Record<string, unknown>>
}

/** Answers with texts that are JSON already: to write a long list at once would hold the event loop. */
export function jsonList(context: Context, { name, texts, rest }: ListAnswer): Response {
  const members = JSON.stringify(rest).slice(1, -1)
  const body = `{${JSON.stringify(name)}:[${texts.join(',')}],${members}}`
  return context.body(body, 200, { 'content-type': 'application/json' })
}
