import { Pace } from '../thread/index.ts'
import type { Face, FaceList, FrameWriter, ListPage, Subject } from './face.ts'
import { ownFrames, ownQuery } from './own-frames.ts'
import type { View } from './view.ts'

/** Each record as the view shows it. */
export const recordsFace: Face = {
  ...ownFrames,
  name: 'records',
  reading: (query) => ({
    key: '',
    state: ownQuery(query).state,
    writer: ({ view }) => recordFrames(view),
    list: listRecords,
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

/** Counted in visible records, so that a page that is not full has reached the head. */
async function listRecords(
  { thread, view }: Subject,
  { log, after, limit }: ListPage,
): Promise<FaceList> {
  const pace = new Pace()
  const texts: string[] = []
  for await (const batch of log.read(thread, { after })) {
    const visible = batch.flatMap((record) => view.record(record) ?? [])
    texts.push(...visible.map((record) => JSON.stringify(record)))
    if (texts.length >= limit) break
    await pace.rest()
  }
  const rest = { head: await log.head(thread), epoch: log.epoch }
  return { name: 'records', texts: texts.slice(0, limit), rest }
}
