import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { LogRecord } from 'throughline/log'
import { expect, test } from 'vitest'
import { GOLDEN, appendedAnew, broker, outcomeOf } from './golden-log.fixture.ts'
import type { Outcome } from './golden-log.fixture.ts'

const files = readdirSync(GOLDEN).filter((file) => file.endsWith('.jsonl'))
const outcomes: Readonly<Record<string, Outcome>> = JSON.parse(
  readFileSync(join(GOLDEN, 'outcomes.json'), 'utf8'),
)

const recordsIn = (file: string): readonly LogRecord[] =>
  readFileSync(join(GOLDEN, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

test('[S9] every recorded log replays to its recorded outcome', async ({ annotate }) => {
  expect(files.toSorted()).toEqual(Object.keys(outcomes).toSorted())
  let [same, records] = [0, 0]
  for (const file of files) {
    const outcome = await outcomeOf(recordsIn(file))
    expect(outcome, file).toEqual(outcomes[file])
    same++
    records += outcome.records
  }
  const said = `${same} of ${files.length} logs, ${records} records`
  await annotate(`${said}: replayed to the hash that was recorded`, 'promise')
})

test('[S9] appended anew, every record is sealed as it was', async () => {
  for (const file of files)
    expect(await appendedAnew(recordsIn(file)), file).toEqual(recordsIn(file))
})

test('[S9] every version of every type of the broker’s is in a recorded log: record one of a new version', async ({
  annotate,
}) => {
  const recorded = new Set(files.flatMap(recordsIn).map(({ type, v }) => `${type} ${v}`))
  const versions = [...broker.events].flatMap(([type, { version = 1 }]) =>
    Array.from({ length: version }, (_, before) => `${type} ${before + 1}`),
  )
  expect(versions.filter((version) => !recorded.has(version))).toEqual([])
  await annotate(`${versions.length} versions of ${broker.events.size} types`, 'promise')
})
