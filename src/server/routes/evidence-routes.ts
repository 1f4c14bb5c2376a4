import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { View } from '../../faces/index.ts'
import type { Json } from '../../json/index.ts'
import { bundleOf } from './bundle.ts'
import { exportTexts } from './export-answer.ts'
import type { RouteParts } from './route-parts.ts'

/** Checks the chain of a thread and its anchor. */
export async function verifyThread(context: Context, parts: RouteParts): Promise<Response> {
  const { thread, entrant, view } = await parts.entry.enter(context)
  return context.json(await parts.quotas.read(entrant, () => verdictOn(thread, view, parts)))
}

export async function verdictOn(
  thread: string,
  view: Pick<View, 'isUnfiltered'>,
  { throughline }: Pick<RouteParts, 'throughline'>,
) {
  const verdict = await throughline.verify(thread)
  if (view.isUnfiltered || !verdict.anchored) return verdict
  // With a hash, a reader could test guesses about what its view hides.
  const { seq, ts } = verdict.anchored
  return { ...verdict, anchored: { seq, ts } }
}

/**
 * Answers with one file that an auditor verifies without the server. It is collected before it is sent: a thread
 * that is too large is refused, and not cut.
 */
export async function bundleThread(
  context: Context<{ Bindings: HttpBindings }>,
  parts: RouteParts,
): Promise<Response> {
  const { thread, view, entrant, role } = await parts.entry.enter(context)
  const release = parts.quotas.holdRead(entrant)
  try {
    const verdict = await verdictOn(thread, view, parts)
    const records = parts.throughline.exported(thread)
    const about = {
      thread,
      role,
      at: new Date().toISOString(),
      records: view.isUnfiltered ? 'as stored' : 'in part',
      verdict,
    }
    const lines = exportTexts({ format: 'jsonl', records, view, release })
    // A verdict is JSON.
    const page = await bundleOf(lines, about as unknown as Json)
    context.header('content-disposition', 'attachment; filename="thread.html"')
    // A file to keep: no browser shows it as a page of this origin.
    context.header('content-type', 'application/octet-stream')
    return context.body(page)
  } finally {
    release()
  }
}
