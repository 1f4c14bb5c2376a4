import type { Json, LogRecord } from 'throughline/client'

/** Makes a record with this type, or a `CUSTOM` record with this `throughline.` name. */
export function recordNamed(name: string, data: Json = {}): LogRecord {
  const ours = name.startsWith('throughline.')
  const place = { seq: 0, id: 'i', thread: 't', ts: 0, v: 1, prev: '', hash: '' }
  return {
    ...place,
    type: ours ? 'CUSTOM' : name,
    data: ours ? { name, value: data } : data,
    origin: { source: 'system', depth: 0 },
  }
}
