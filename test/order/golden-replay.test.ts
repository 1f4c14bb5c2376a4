import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { membersOf, textOf } from 'throughline'
import { sha256 } from 'throughline/log'
import type { LogRecord } from 'throughline/log'
import { forkThread, replayed } from 'throughline/testing'
import { defineBroker } from '../../apps/broker/definition.ts'
import { scriptedNarrator } from '../../apps/broker/narrator/index.ts'
import { deskApp } from '../../apps/desk/application.ts'
import { scriptedDesk } from '../../apps/desk/index.ts'
import { recordsOf } from '../memory-log.fixture.ts'

const pathOf = (name: string): string => `test/order/golden/${name}.jsonl`

function recordsIn(name: string): readonly LogRecord[] {
  const lines = readFileSync(pathOf(name), 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as LogRecord)
}

/** Logs of journeys as today's definition makes them; older ones hold what it decides otherwise. */
const OF_TODAY = ['0.3-demonstration', '0.3-revealed', '0.3-silence']

test('the broker decides whole journeys again as they are on record', async () => {
  const { app } = defineBroker({ model: scriptedNarrator({}), now: Date.now, sha256 })
  for (const name of OF_TODAY) {
    const { threads, decided } = await replayed(pathOf(name), app)
    expect(threads).toBe(1)
    expect(decided).toBeGreaterThan(5)
  }
})

const promptsIn = (records: readonly LogRecord[]): readonly string[] =>
  records.flatMap(({ data }) => {
    const { name, value } = membersOf(data)
    return name === 'throughline.model_output' ? [textOf(value ?? null, 'prompt')] : []
  })

test('a turn of five agents that a fork takes again gives the same prompts, with no tool at work', async () => {
  for (const name of ['0.1-desk', '0.2-desk']) {
    const records = recordsIn(name)
    const [first] = records
    const { thread = '', origin: { turn = '' } = {} } = first ?? {}
    const ofTurn = records.filter((record) => record.origin.turn === turn)
    const said = ofTurn.find(({ type }) => type === 'TEXT_MESSAGE_CONTENT')
    const origin = {
      async *read() {
        yield records
      },
      find: async (_thread: string, id: string) => records.find((record) => record.id === id),
    }
    const fork = await forkThread({ origin, thread, at: -1, apps: [deskApp(scriptedDesk({}))] })
    const input = textOf(said?.data ?? null, 'delta')
    await fork.tl.turn(thread, { agent: 'desk', input }).result
    const taken = await recordsOf(fork.log, thread)
    // Agents that are asked at once answer in any order.
    expect(promptsIn(taken).toSorted()).toEqual(promptsIn(ofTurn).toSorted())
    expect(promptsIn(taken).length).toBeGreaterThan(5)
    expect(fork.missed).toEqual([])
    await fork.close()
  }
})
