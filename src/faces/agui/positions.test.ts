import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runFinished, runStarted, says, topOrigin } from '../../activity/turn-records.fixture.ts'
import { readFrames } from './stock-client.fixture.ts'
import { joinText, turnText } from './streams.fixture.ts'
import { TURN, TURN_2, agent, startedBy } from './turns.fixture.ts'
import { memoryLog } from '../../../test/memory-log.fixture.ts'

const other = topOrigin({ agent: 'A' }, TURN_2)
const refused = { name: 'AguiError', code: 'unknown_position' }

async function threadOfTwoTurns() {
  const log = memoryLog()
  await log.append('t', [
    startedBy('r-1'),
    ...says(agent, 'm-1', 'Hi'),
    runFinished(agent, 'success'),
    { ...runStarted(other), id: TURN_2 },
    runFinished(other, 'success'),
  ])
  return log
}

test.each([
  ['', 'NaN', '-2', '1.5.2', '1e3', '0x1', 'p3', ' 1', '9'.repeat(1_000_000)],
  // Of no frame: after the head, of a record with fewer frames, of another turn, of a prelude.
  ['6', '7', '9999', '0.1', '0.7', '4.2', '5', 'p0.0'],
])('[E2] a position that no frame of the turn has is refused', async (...ids) => {
  const log = await threadOfTwoTurns()
  for (const after of ids) {
    await expect(turnText(log, { turn: TURN, after }), after).rejects.toMatchObject(refused)
  }
})

test('[E2] a client that joins at a position of no prelude and no run is refused', async () => {
  const log = await threadOfTwoTurns()
  for (const after of ['p6.9', 'p7.0', 'x', '7', '4.9', 'p-2.0']) {
    await expect(joinText(log, { after }), after).rejects.toMatchObject(refused)
  }
  const frames = readFrames(await joinText(log))
  for (const [at, { id }] of frames.entries()) {
    expect(readFrames(await joinText(log, { after: id }))).toEqual(frames.slice(at + 1))
  }
})

test('[E2] any text as a position is refused, or goes on with the rest of the run', async () => {
  const log = await threadOfTwoTurns()
  const whole = await turnText(log, { turn: TURN })
  const ids = fc.oneof(
    fc.constantFrom(...idsOf(whole)),
    fc.string(),
    fc.stringMatching(/^p?\d{1,2}(\.\d)?$/),
  )
  await fc.assert(
    fc.asyncProperty(ids, async (after) => {
      const text = await turnText(log, { turn: TURN, after }).catch((error: unknown) => {
        expect(error).toMatchObject(refused)
      })
      expect(idsOf(whole).includes(after)).toBe(text !== undefined)
      expect(whole.endsWith(text ?? '')).toBe(true)
    }),
  )
})

function idsOf(text: string): readonly string[] {
  return readFrames(text).map(({ id }) => id)
}
