import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { evolve, replay } from 'throughline'
import type { LogRecord } from 'throughline/log'
import { expect, test } from 'vitest'
import { Provenance, StateChanges } from '../../src/faces/index.ts'
import { applyPatch, isJsonObject, valueAt } from '../../src/json/index.ts'
import type { Json } from '../../src/json/index.ts'
import { GOLDEN, broker } from './golden-log.fixture.ts'

const LOGS = ['0.2-clean', '0.3-demonstration', '0.2-counter-accepted']

const recordsIn = (name: string): readonly LogRecord[] =>
  readFileSync(join(GOLDEN, `${name}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

function follow() {
  let state = broker.initial
  return {
    get state(): Json {
      return state as unknown as Json
    },
    take(record: LogRecord): void {
      state = evolve(broker, state, record)
    },
  }
}

/** The pointers of all members of a state. */
function pathsOf(value: Json, at = ''): readonly string[] {
  if (!isJsonObject(value)) return [at]
  const under = Object.entries(value).flatMap(([name, member = null]) =>
    pathsOf(member, `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
  return [at, ...under]
}

test.each(LOGS)('the changes of %s lead to the state of each record', (name) => {
  const records = recordsIn(name)
  const followed = follow()
  const changes = new StateChanges(followed)
  let applied = followed.state
  for (const [index, record] of records.entries()) {
    const { seq, ops } = changes.take(record)
    applied = applyPatch(applied, ops)
    expect(seq).toBe(index)
    expect(applied).toEqual(replay(broker, records.slice(0, index + 1)))
  }
})

test.each(LOGS)('the last reason for each path of %s is the record that gave its value', (name) => {
  const records = recordsIn(name)
  const final = replay(broker, records) as unknown as Json
  for (const path of pathsOf(final)) {
    const view = { record: (record: LogRecord) => record }
    const provenance = new Provenance({ path, view, followed: follow() })
    for (const record of records) provenance.take(record)
    const seq = provenance.reasons.at(-1)?.seq ?? -1
    const stateAt = (count: number) => replay(broker, records.slice(0, count)) as unknown as Json
    expect(valueAt(stateAt(seq + 1), path), path).toEqual(valueAt(final, path))
    if (seq >= 0) expect(valueAt(stateAt(seq), path), path).not.toEqual(valueAt(final, path))
  }
})
