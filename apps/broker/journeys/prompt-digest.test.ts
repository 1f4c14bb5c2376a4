import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { customValue } from 'throughline/client'
import { replay, textOf } from 'throughline'
import { domain } from '../case/given-case.fixture.ts'
import { narrators, scriptedNarrator } from '../narrator/index.ts'
import { caseAfter, walk } from './journey.fixture.ts'
import { recordsOf } from '../../../test/memory-log.fixture.ts'
import { testBroker } from './test-broker.fixture.ts'

test('the log names by digest the prompt of every model call, and the prompt can be made again from the log', async () => {
  const broker = await testBroker()
  const journey = await caseAfter(broker)
  await walk(journey)
  const both = narrators({ model: scriptedNarrator(), domain, now: Date.now })
  const records = await recordsOf(broker.log, journey.sessionId)
  const outputs = records.filter((record) => customValue(record, 'model_output') !== undefined)
  expect(outputs.length).toBeGreaterThan(9)
  for (const output of outputs) {
    const step = records.findLast(({ seq, type }) => seq < output.seq && type === 'STEP_STARTED')
    const state = replay(domain, records.slice(0, step?.seq))
    const side = output.origin.surface === 'installer' ? both.installer : both.customer
    const prompt = createHash('sha256')
      .update(side.instructions({ state, thread: '', context: {} }))
      .digest('hex')
    expect(textOf(customValue(output, 'model_output') ?? null, 'prompt')).toBe(prompt)
  }
})
