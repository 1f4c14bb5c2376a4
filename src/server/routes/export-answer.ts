import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { View } from '../../faces/index.ts'
import type { ExportedRecord } from '../../application/index.ts'
import { Pace } from '../../thread/index.ts'
import { inBackground } from '../../platform/index.ts'
import { EXPORT_TYPES, exportEnd, exportHeader, exportLine } from './export.ts'
import type { ExportFormat } from './export.ts'

export interface ExportedParts {
  readonly format: ExportFormat
  readonly records: AsyncIterable<readonly ExportedRecord[]>
  readonly view: Pick<View, 'record'>
  /** Called once nothing more is read, whatever the reason. */
  readonly release: () => void
}

interface ExportParts extends ExportedParts {
  /** Told why an export broke off. */
  readonly failed: (error: unknown) => void
}

/**
 * Answers with the records that a role may see. Only a whole export has its last line; one that breaks off
 * ends its connection.
 */
export function answerExport(
  context: Context<{ Bindings: Partial<HttpBindings> }>,
  parts: ExportParts,
): Response {
  context.header('content-type', EXPORT_TYPES[parts.format])
  context.header('content-disposition', `attachment; filename="thread.${parts.format}"`)
  const { method, signal } = context.req.raw
  if (method === 'HEAD') {
    parts.release()
    return context.body(null)
  }
  const texts = exportTexts(parts)
  // A reader that left may have cancelled nothing.
  signal.addEventListener('abort', () => inBackground(texts.return(undefined)), { once: true })
  const breakOff = (error: unknown, body: ReadableStreamDefaultController<Uint8Array>) => {
    parts.failed(error)
    // Errored, the adaptor of node would print the error. A plain call of `fetch` has no bindings.
    const bindings: Partial<HttpBindings> | undefined = context.env
    if (bindings?.outgoing) bindings.outgoing.destroy()
    else body.error(new Error('Cannot finish the export'))
  }
  return context.body(streamOf(texts, breakOff))
}

/** The text of an export, in parts; the last line comes once everything was read. */
export async function* exportTexts(parts: ExportedParts): AsyncGenerator<string, undefined> {
  const { format, records, view, release } = parts
  try {
    const pace = new Pace()
    let count = 0
    const header = exportHeader(format)
    if (header !== '') yield header
    for await (const batch of records) {
      const lines = batch.flatMap(({ record, stored }) => {
        const shown = view.record(record)
        if (!shown) return []
        // What another role may see has no hash to be checked.
        return exportLine(format, shown, shown === record ? stored : shown)
      })
      count += lines.length
      if (lines.length > 0) yield lines.join('')
      await pace.rest()
    }
    yield exportEnd(format, count)
  } finally {
    release()
  }
}

function streamOf(
  texts: AsyncGenerator<string, undefined>,
  breakOff: (error: unknown, body: ReadableStreamDefaultController<Uint8Array>) => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    async pull(body) {
      try {
        const { done, value } = await texts.next()
        if (done) body.close()
        else body.enqueue(encoder.encode(value))
      } catch (error) {
        breakOff(error, body)
      }
    },
    async cancel() {
      await texts.return(undefined)
    },
  })
}
