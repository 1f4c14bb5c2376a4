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

/** Counted in all records, so that a page never reads more of a log than was asked for. */
async function listRecords(
  { thread, view }: Subject,
  { log, after, limit }: ListPage,
): Promise<FaceList> {
  const pace = new Pace()
  const texts: string[] = []
  let next = after
  for await (const batch of log.read(thread, { after, limit })) {
    const visible = batch.flatMap((record) => view.record(record) ?? [])
    texts.push(...visible.map((record) => JSON.stringify(record)))
    next = batch.at(-1)?.seq ?? next
    await pace.rest()
  }
  return { name: 'records', texts, rest: { next, head: await log.head(thread), epoch: log.epoch } }
}
