import type { DocumentHead } from '../documents/index.ts'

/** The next name of a session, such as `team-2026-11-23-1`: sessions are counted by day. */
export function nextSessionId(documents: readonly DocumentHead[], now: number): string {
  const day = `team-${new Date(now).toISOString().slice(0, 10)}-`
  const counts = documents.flatMap((document) => {
    if (document.type !== 'marker' || !document.serverSessionId?.startsWith(day)) return []
    return [Number(document.serverSessionId.slice(day.length))]
  })
  return `${day}${Math.max(0, ...counts) + 1}`
}
