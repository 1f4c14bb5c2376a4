import type { Context } from 'hono'
import { THREADS_LISTED_MAX } from '../../application/index.ts'
import type { Throughline } from '../../application/index.ts'
import type { IndexValue } from '../../log/index.ts'
import type { Access } from '../access/access.ts'
import { singleText, wholeNumber } from '../streams/cursor.ts'

/**
 * Lists threads for the operator. Every name in the query except `app`, `after` and `limit` is one that an
 * application has declared in its index.
 */
export async function listThreads(
  context: Context,
  { throughline, access }: { readonly throughline: Throughline; readonly access: Access },
): Promise<Response> {
  await access.requireOperator(context)
  const app = singleText(context, 'app', 'invalid_query')
  const after = singleText(context, 'after', 'invalid_query')
  const limit = wholeNumber(context, 'limit', { min: 1, max: THREADS_LISTED_MAX })
  const page = await throughline.threads({
    ...(app !== undefined && { app }),
    ...(after !== undefined && { after }),
    ...(limit !== undefined && { limit }),
    where: whereOf(context.req.queries()),
  })
  return context.json(page)
}

function whereOf({
  app: _app,
  after: _after,
  limit: _limit,
  ...named
}: Record<string, string[]>): Readonly<Record<string, readonly IndexValue[]>> {
  const entries = Object.entries(named)
  return Object.fromEntries(entries.map(([name, texts]) => [name, texts.flatMap(valuesOf)]))
}

/** A query carries only texts: `42` means the text and the number, `true` the text and the boolean. */
function valuesOf(text: string): readonly IndexValue[] {
  if (LITERALS.has(text)) return [text, JSON.parse(text) as IndexValue]
  const number = Number(text)
  return Number.isFinite(number) && String(number) === text ? [text, number] : [text]
}

const LITERALS: ReadonlySet<string> = new Set(['true', 'false', 'null'])
