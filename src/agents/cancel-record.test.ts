import { expect, test } from 'vitest'
import { defineAgent } from './agent.ts'
import { scriptedModel } from '../models/index.ts'
import type { LanguageModel, ScriptedReply } from '../models/index.ts'
import { customEvent } from '../activity/index.ts'
import { lamp } from '../domain/lamp.fixture.ts'
import type { Lamp } from '../domain/lamp.fixture.ts'
import { calling, expectWhole, replies, withAgents } from './runs.fixture.ts'

const tag = `<agent-event type="switch_on" data='{"watts":20}' />`

/** Agents three deep: `leaf` runs a reply after a cancel of `cancelled` is on record, from elsewhere. */
function tree(cancelled: string, reply: ScriptedReply) {
  const record: { cancel?: () => Promise<unknown> } = {}
  const model: LanguageModel = scriptedModel(async () => {
    await record.cancel?.()
    delete record.cancel
    return reply
  })
  const leaf = defineAgent<Lamp>({ name: 'leaf', emits: ['switch_on'], model })
  const caller = (name: string, below: typeof leaf) =>
    defineAgent<Lamp>({
      name,
      model: replies(calling([`call_${below.name}`, { message: 'x' }]), 'End'),
      agents: [below],
    })
  const made = withAgents<Lamp>([caller('top', caller('middle', caller('lower', leaf)))], {
    domain: lamp,
  })
  record.cancel = async () => {
    const { openRuns } = await made.gate.snapshot('t')
    const open = openRuns.find(({ origin }) => origin.agent === cancelled)
    if (!open) throw new Error(`Cannot cancel: ${cancelled} has no open run`)
    const value = { run: open.runId, by: 'customer' }
    const origin = { ...open.origin, source: 'system' } as const
    await made.gate.append('t', [customEvent('cancel_requested', value, origin)])
  }
  return made
}

const proposing = calling(['propose_switch_on', { watts: 20 }])

test.each([
  ['top', 'a tag', tag],
  ['middle', 'a tag', tag],
  ['lower', 'a tag', tag],
  ['leaf', 'a tag', tag],
  ['middle', 'a tag beside a call', { text: tag, ...calling(['nothing']) }],
  ['middle', 'a propose tool', proposing],
])(
  '[S15] once a cancel of %s is on record, %s of a run below changes nothing',
  async (...given) => {
    const [cancelled, , reply] = given
    const { ask, gate, log, records } = tree(cancelled, reply)
    const { reason } = await ask('Go').result
    expect(reason).toBe(cancelled === 'top' ? 'cancelled' : 'success')
    expect((await gate.snapshot('t')).state.lit).toBe(false)
    const ends = (await records()).filter(({ type }) => type === 'SUBAGENT_ERROR')
    expect(ends[0]).toMatchObject({ origin: { agent: 'leaf' }, data: { code: 'cancelled' } })
    await expectWhole(log)
  },
)

test('[S15] a run that fails after its cancel is on record ends cancelled', async () => {
  const { ask, log, records } = tree('top', { fail: new Error('overloaded') })
  expect(await ask('Go').result).toMatchObject({ reason: 'cancelled' })
  const end = (await records()).at(-1)
  expect(end).toMatchObject({ type: 'RUN_FINISHED', data: { metadata: { stoppedBy: 'customer' } } })
  await expectWhole(log)
})

test('[S15] a run that a shutdown aborts after its cancel is on record ends cancelled', async () => {
  const { ask, log, runs } = tree('top', { hang: true })
  const turn = ask('Go')
  await turn.started
  await runs.drain(50)
  expect(await turn.result).toMatchObject({ reason: 'cancelled' })
  await expectWhole(log)
})
