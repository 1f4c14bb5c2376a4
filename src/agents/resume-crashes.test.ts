import { expect, test } from 'vitest'
import { pointed } from '../../test/programs/two-turns.fixture.ts'
import { defineAgent } from './define/agent.ts'
import { POINTS_MAX, crashAt, nowhere, payment } from './crashes.fixture.ts'
import type { AtPoint } from './crashes.fixture.ts'
import { scriptedModel } from '../models/index.ts'
import type { EventLog } from '../log/index.ts'
import { calling, expectWhole, withAgents } from './runs.fixture.ts'
import { memoryLog } from '../../test/memory-log.fixture.ts'

/** A clerk below a lead asks for permission to pay; both have a plain tool beside it. */
function payers(at: AtPoint, paid: string[]) {
  const pay = payment(paid, at)
  const inSteps = (first: ReturnType<typeof calling>) =>
    scriptedModel(({ messages }) => {
      const hasBegun = messages.some(({ role, text }) => role === 'tool' || text === 'Next')
      return hasBegun ? 'Done' : first
    })
  const clerk = defineAgent({ name: 'clerk', model: inSteps(calling(['pay'])), tools: { pay } })
  const model = inSteps(calling(['pay'], ['call_clerk', { message: 'Pay too' }]))
  return [defineAgent({ name: 'lead', model, tools: { pay }, agents: [clerk] })]
}

/** Lets a process resume until a point, at which it stops for ever. Returns whether it got there. */
async function resumeUntil(log: EventLog, paid: string[], fatal: number) {
  const { at, died } = crashAt(fatal)
  const { runs, gate } = withAgents(payers(at, paid), { log: pointed({ log, at }) })
  const [waiting] = (await gate.snapshot('t')).pauses.waiting
  const { run, waits } = waiting ?? { run: '', waits: [] }
  const values = Object.fromEntries(waits.map(({ id }) => [id, { approved: true }]))
  const request = { run, values, key: 'yes' }
  const turn = runs.resume('t', request)
  return { request, end: await Promise.race([turn.result, died]) }
}

test('[M7] cut off at every labelled point of a resume, each run ends once and pays at most once', async ({
  annotate,
}) => {
  let crashes = 0
  for (let point = 1; point < POINTS_MAX; point++) {
    const [log, paid]: [EventLog, string[]] = [memoryLog(), []]
    const before = withAgents(payers(nowhere, paid), { log: pointed({ log, at: nowhere }) })
    expect(await before.ask('Pay').result).toMatchObject({ reason: 'interrupt' })
    const { request, end } = await resumeUntil(log, paid, point)
    if (end !== 'died') break
    crashes++
    const after = withAgents(payers(nowhere, paid), { log: pointed({ log, at: nowhere }) })
    await after.runs.recover('t')
    await expectWhole(log)
    const again = () => after.runs.resume('t', request).result
    const answer = await again()
    expect(await again()).toEqual(answer)
    expect(['success', 'error']).toContain(answer.reason)
    expect(new Set(paid).size).toBe(paid.length)
    expect(paid.length).toBeLessThanOrEqual(2)
    if (answer.reason === 'success') expect(paid).toHaveLength(2)
    expect(await after.ask('Next').result).toMatchObject({ reason: 'success' })
    await expectWhole(log)
  }
  expect(crashes).toBeGreaterThan(15)
  expect(crashes).toBeLessThan(POINTS_MAX - 1)
  await annotate(
    `cut off at ${crashes} points of a resume: 0 runs without exactly one end, 0 payments twice`,
    'promise',
  )
})
