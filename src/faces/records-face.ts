import type { Face, FrameWriter } from './face.ts'
import { listOf, ownFrames, ownQuery } from './own-frames.ts'
import type { View } from './view.ts'

/** Each record as the view shows it. */
export const recordsFace: Face = {
  ...ownFrames,
  name: 'records',
  reading: (query) => ({
    key: '',
    state: ownQuery(query).state,
    writer: ({ view }) => recordFrames(view),
    list: ({ thread, view }, page) =>
      listOf({ name: 'records', thread }, page, (record) => view.record(record) ?? []),
  }),
}

/** A record as a view shows it is one frame; one that it does not show moves the cursor only. */
function recordFrames(view: View): FrameWriter {
  return {
    frames: view.isUnfiltered ? 'stored' : 'written',
    async catchUp() {},
    framesOf(records) {
      let frames = ''
      for (const record of records) {
        const visible = view.record(record)
        const data = visible ? `data: ${JSON.stringify(visible)}\n` : ''
        frames += `id: ${record.seq}\n${data}\n`
      }
      return frames
    },
  }
}
