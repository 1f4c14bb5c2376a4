import { subscribe } from 'throughline/client'
import { expect, test, vi } from 'vitest'
import { chance, newSeed } from '../chance.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'
import { PlainReader } from './plain-reader.fixture.ts'
import type { Fault } from './proxy.fixture.ts'
import { serveCase, through } from './served-threads.fixture.ts'

vi.setConfig({ testTimeout: timesInTier({ quick: 60_000, full: 400_000 }) })

const RECORDS = timesInTier({ quick: 400, full: 2_000 })
const FAULTS_EACH = timesInTier({ quick: 4, full: 40 })
/** A client gives a silent connection up after this long: less than in life, where it is 40 s. */
const SILENCE_MAX_MS = 250

const seed = newSeed()

/** One of each, over and over, each of them at another place; the rest comes late, but comes. */
function faults(reader: number): () => Fault {
  const random = chance(seed + reader)
  let count = 0
  return () => {
    const afterBytes = 1 + Math.floor(random() * 4_000)
    const each: readonly Fault[] = [
      { kind: 'half', afterBytes },
      { kind: 'blackHole' },
      { kind: 'cut', afterBytes },
      { kind: 'half', afterBytes: 1 },
    ]
    const late = { kind: 'delay', ms: 20 } as const
    return count < FAULTS_EACH ? (each[count++ % each.length] ?? late) : late
  }
}

const all = Array.from({ length: RECORDS }, (_, seq) => seq)

async function follow(url: string, token: string): Promise<number[]> {
  const seqs: number[] = []
  const headers = () => ({ authorization: `Bearer ${token}` })
  const options = { url, headers, silenceMaxMs: SILENCE_MAX_MS, random: () => 0 }
  for await (const update of subscribe(options)) {
    if (update.type === 'record') seqs.push(update.record.seq)
    if (update.type === 'cursor') seqs.push(update.seq)
    if (seqs.length >= RECORDS) break
  }
  return seqs
}

test('[E1] delays, connections that die in silence and servers that never answer cost no record', async ({
  annotate,
}) => {
  const { busy, origin, path, token } = await serveCase()
  const proxies = await Promise.all([0, 1, 2].map((reader) => through(origin, faults(reader))))
  const flowing = busy.flow(RECORDS)
  const read = await Promise.all(proxies.map(({ url }) => follow(`${url}${path}`, token)))
  await flowing
  for (const seqs of read) expect(seqs).toEqual(all)
  const count = (kind: Fault['kind']) => proxies.reduce((sum, { done }) => sum + done[kind], 0)
  expect(count('blackHole')).toBe((proxies.length * FAULTS_EACH) / 4)
  expect(count('half')).toBeGreaterThan(0)
  expect(count('delay')).toBeGreaterThanOrEqual(proxies.length)
  const missed = read.reduce((sum, seqs) => sum + RECORDS - new Set(seqs).size, 0)
  await annotate(
    `${missed} of ${RECORDS} events missed by ${read.length} clients over ${count('blackHole')} connections that never answered, ${count('half')} that died in silence, ${count('delay')} that were late`,
    'promise',
  )
})

test('[E1] a connection that drips byte by byte is slow, and whole', async ({ annotate }) => {
  const { busy, origin, path, token } = await serveCase()
  const { url, done } = await through(origin, () => ({ kind: 'drip' }))
  const records = RECORDS / 20
  const flowing = busy.flow(records)
  const plain: number[] = []
  const reader = new PlainReader({
    url: `${url}${path}`,
    token,
    retryMs: 1,
    take({ event, lastEventId }) {
      if (event === 'message' && lastEventId !== '') plain.push(Number(lastEventId))
    },
  })
  const reading = reader.read()
  const seqs: number[] = []
  const headers = () => ({ authorization: `Bearer ${token}` })
  for await (const update of subscribe({ url: `${url}${path}`, headers })) {
    expect(update).not.toHaveProperty('error')
    if (update.type === 'record') seqs.push(update.record.seq)
    if (update.type === 'cursor') seqs.push(update.seq)
    if (seqs.length >= records) break
  }
  await flowing
  await expect.poll(() => plain.length, { timeout: 10_000 }).toBe(records)
  reader.close()
  expect(await reading).toBe('closed')
  expect(seqs).toEqual(all.slice(0, records))
  expect(plain).toEqual(seqs)
  expect(done.drip).toBeGreaterThanOrEqual(2)
  await annotate(`${seqs.length} of ${records} events, byte by byte`, 'promise')
})
