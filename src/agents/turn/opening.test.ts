import { expect, test } from 'vitest'
import { lamp } from '../../domain/lamp.fixture.ts'
import type { Lamp } from '../../domain/lamp.fixture.ts'
import { scriptedModel } from '../../models/index.ts'
import type { ScriptedCall } from '../../models/index.ts'
import { defineAgent } from '../define/agent.ts'
import { eventsOf, withAgents } from '../runs.fixture.ts'

const on = (watts: number) => ({ type: 'switch_on', data: { watts } })

function asked(surface?: string) {
  const calls: ScriptedCall[] = []
  const model = scriptedModel((call) => (calls.push(call), 'Done.'))
  const agent = defineAgent<Lamp>({
    name: 'electrician',
    model,
    instructions: ({ state }) => `lit: ${state.lit}`,
    ...(surface === undefined ? {} : { surface }),
  })
  return { calls, ...withAgents<Lamp>([agent], { domain: lamp }) }
}

test('a turn opens in one append: the run, the events, the rules, the message and a note of each event', async () => {
  const { runs, records, calls } = asked('wall')
  const events = [on(80), on(-1)]
  await runs.start('t', { agent: 'electrician', input: 'Light', events, actor: 'ann' }).result
  const opening = (await records()).slice(0, 9)
  expect(opening.map(({ type, origin }) => `${origin.rule ?? origin.source} ${type}`)).toEqual([
    'system RUN_STARTED',
    'ui switch_on',
    'ui event_refused',
    'R1 report',
    'ui TEXT_MESSAGE_START',
    'ui TEXT_MESSAGE_CONTENT',
    'ui TEXT_MESSAGE_END',
    'system CUSTOM',
    'system CUSTOM',
  ])
  expect(opening[1]?.origin).toMatchObject({ actor: 'ann', turn: opening[0]?.id })
  expect(calls[0]?.system).toBe('lit: true')
  expect(calls[0]?.messages[0]?.text).toContain('was recorded: switch_on {"watts":80')
  expect(calls[0]?.messages[0]?.text).toContain('was refused: switch_on (invalid_payload)')
})

test('[S2] under one key other events are another request', async () => {
  const { runs } = asked('wall')
  const request = { agent: 'electrician', input: 'Light', key: 'k', events: [on(80)] }
  await runs.start('t', request).result
  const other = runs.start('t', { ...request, events: [on(60)] })
  await expect(other.result).rejects.toMatchObject({ code: 'key_reused' })
})

test('an agent sees only the messages of its surface', async () => {
  const { runs, calls } = asked('wall')
  await runs.start('t', { agent: 'electrician', input: 'Light' }).result
  const elsewhere = asked('ceiling')
  expect(elsewhere.calls).toEqual([])
  expect(calls[0]?.messages.map(({ text }) => text)).toEqual(['Light'])
})

test('a turn without a message has a prompt for its caller all the same', async () => {
  const { runs } = asked('wall')
  const turn = runs.start('t', { agent: 'electrician', events: [on(80)] })
  const types = (await eventsOf(turn)).map(({ type }) => type)
  expect(types.filter((type) => type !== 'event')[0]).toBe('prompt_started')
  expect(types.at(-1)).toBe('turn_end')
})
