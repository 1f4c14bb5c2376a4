import { expect, test } from 'vitest'
import type { LogRecord } from '../../log/index.ts'
import { SEARCH_TIME_MAX_MS, ThreadSearch } from './thread-search.ts'
import type { PlaceInThread } from './thread-search.ts'

const RECORDS = 60
const BATCH_MS = 50

const recordAt = (seq: number): LogRecord => ({
  seq,
  id: `id-${seq}`,
  thread: 't',
  ts: 0,
  type: 'noted',
  data: { text: seq % 20 === 0 ? 'the boiler' : 'nothing' },
  origin: { source: 'ui', depth: 0 },
  v: 1,
  prev: '',
  hash: '',
})

/** A thread that takes longer to read than a search may take. */
const slowLog = {
  async *read(_thread: string, { after = -1 } = {}) {
    for (let seq = after + 1; seq < RECORDS; seq++) {
      await new Promise((done) => setTimeout(done, BATCH_MS))
      yield [recordAt(seq)]
    }
  },
}

const view = { isUnfiltered: true, record: (record: LogRecord) => record }

test('a search ends after its time, in the middle of a thread too, and goes on from there', async () => {
  const seqs: number[] = []
  let place: PlaceInThread | undefined
  let [records, pages] = [0, 0]
  do {
    const { signal } = new AbortController()
    const search = new ThreadSearch({ log: slowLog, text: 'boiler', limit: 50, signal })
    const began = performance.now()
    place = await search.in({ thread: 't', app: 'a', view }, place)
    expect(performance.now() - began).toBeLessThan(SEARCH_TIME_MAX_MS + 1_000)
    seqs.push(...search.found.map(({ seq }) => seq))
    records += search.searched.records
    pages++
  } while (place)
  expect(seqs).toEqual([0, 20, 40])
  expect(records).toBe(RECORDS)
  expect(pages).toBeGreaterThan(1)
})

test('a search whose sender has gone reads no further', async () => {
  const search = new ThreadSearch({
    log: slowLog,
    text: 'boiler',
    limit: 50,
    signal: AbortSignal.abort(),
  })
  await search.in({ thread: 't', app: 'a', view })
  expect(search.searched.records).toBeLessThan(RECORDS)
})
