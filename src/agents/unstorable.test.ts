import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineDomain } from '../domain/index.ts'
import { scriptedModel } from '../models/index.ts'
import type { ScriptedReply } from '../models/index.ts'
import { defineAgent } from './define/agent.ts'
import type { AgentTurn } from './turn/agent-turn.ts'
import { calling, eventsOf, expectWhole, only, withAgents } from './runs.fixture.ts'
import type { Settings } from './runs.fixture.ts'
import { tool } from './define/tool.ts'
import type { ProposalResult, ToolContext } from './define/tool.ts'

interface Notes {
  readonly notes: number
}

const { event, domain } = defineDomain<Notes>()
const notes = domain({
  name: 'notes',
  initial: { notes: 0 },
  events: {
    noted: event({
      // The schema accepts everything; only the log has limits.
      schema: z.object({ note: z.any() }),
      by: [{ source: 'model' }, { source: 'ui' }],
      reduce: (state) => ({ notes: state.notes + 1 }),
    }),
  },
})

const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown
const withPrototype = JSON.parse('{"__proto__":{"a":1}}') as unknown
const TAG = `<agent-event type="noted" data='{"note":1e400}' />`

/** A model that says the script, and a tool of it that does what a test says. */
function noting(
  script: readonly ScriptedReply[],
  use: (context: ToolContext<Notes>) => unknown = () => '',
  settings: Settings<Notes> = {},
) {
  const tools = {
    use: tool({
      inputSchema: z.object({}),
      execute: (_, context: ToolContext<Notes>) => use(context),
    }),
  }
  let calls = 0
  const model = scriptedModel(({ index }) => {
    calls++
    return script[index] ?? 'Done.'
  })
  const agent = defineAgent<Notes>({ domain: notes, name: 'A', model, emits: ['noted'], tools })
  const made = withAgents([agent], { domain: notes, ...settings })
  return {
    ...made,
    calls: () => calls,
    /** Returns the data of the `event_refused` records after the turn has ended. */
    refusals: async (turn: AgentTurn<Notes>) => {
      await turn.result
      const records = await made.records()
      return records.flatMap(({ type, data }) => (type === 'event_refused' ? [data] : []))
    },
  }
}

test('[M10] a tag that no log can hold is refused, and the output and its usage stay', async () => {
  const { ask, log, refusals } = noting([`Noted. ${TAG}`])
  const turn = ask('Note it')
  expect(await refusals(turn)).toMatchObject([
    { reason: 'invalid_payload', detail: expect.stringContaining('data.note is Infinity') },
  ])
  const { reason, text, state, usage } = await turn.result
  expect({ reason, text, state }).toEqual({
    reason: 'success',
    text: 'Noted.',
    state: { notes: 0 },
  })
  expect(usage.total.outputTokens).toBeGreaterThan(0)
  await expectWhole(log)
})

test('[M10] tags that no log can hold count against the budget of the thread', async () => {
  const callsThatFit = async (text: string) => {
    const script = Array.from({ length: 30 }, () => text)
    const { ask, calls } = noting(script, () => '', { threadLimits: { tokens: 600 } })
    for (let n = 0; n < 30; n++) await ask('Note it').result.catch(() => undefined)
    return calls()
  }
  const usual = await callsThatFit(`Noted. ${TAG.replace('1e400', '12345')}`)
  expect(usual).toBeLessThan(30)
  expect(await callsThatFit(`Noted. ${TAG}`)).toBeLessThanOrEqual(usual)
})

test.for([
  ['a name that reaches a prototype', '{"note":{"__proto__":{"a":1}}}', 'data.note.__proto__'],
  ['129 levels', `{"note":${'['.repeat(128)}${']'.repeat(128)}}`, 'deeper than 128'],
  ['a number that is none', '{"note":1e400}', 'data.note is Infinity'],
])(
  '[M10] a propose_ tool that is called with %s is refused',
  async ([, input = '', why = ''], { annotate }) => {
    const call = { toolCalls: [{ name: 'propose_noted', input }] } as ScriptedReply
    const { ask, refusals } = noting([call])
    const turn = ask('Note it')
    expect(await refusals(turn)).toMatchObject([
      { reason: 'invalid_payload', detail: expect.stringContaining(why) },
    ])
    expect(await turn.result).toMatchObject({ reason: 'success', text: 'Done.' })
    await annotate('0 of 1 proposals that no log can hold ended the run', 'promise')
  },
)

test('[M10] a tool that proposes what no log can hold gets the refusal, with the place', async () => {
  let done: ProposalResult<Notes> | undefined
  const values = [{ n: 1n }, nested(129), withPrototype]
  const { ask } = noting([calling(['use'])], async ({ propose }) => {
    done = await propose(values.map((note) => ({ type: 'noted', data: { note } })))
    return 'tried'
  })
  expect(await ask('Note it').result).toMatchObject({ reason: 'success', state: { notes: 0 } })
  expect(done?.refused).toMatchObject([
    {
      refused: 'invalid_payload',
      detail: expect.stringContaining('data.note.n is of type bigint'),
    },
    { refused: 'invalid_payload' },
    { refused: 'invalid_payload' },
  ])
})

test('[M10] an output of a tool that no log can hold is shown as text', async () => {
  const { ask, log } = noting([calling(['use'])], ({ progress }) => {
    progress(nested(129))
    progress(withPrototype)
    return 'shown'
  })
  const turn = ask('Show it')
  const outputs = only(await eventsOf(turn), 'tool_output')
  expect(outputs.map(({ output }) => output)).toEqual([
    JSON.stringify(nested(129)),
    JSON.stringify(withPrototype),
  ])
  expect(await turn.result).toMatchObject({ reason: 'success' })
  await expectWhole(log)
})

test('[M10] a program that proposes what no log can hold gets the refusal, with the place', async () => {
  const { gate } = noting([])
  const own: Record<string, unknown> = {}
  own['self'] = own
  const origin = { source: 'ui', depth: 0 } as const
  const given = [{ n: 1n }, own, () => 1, 'x'.repeat(2_000_000), '€'.repeat(400_000), 'fits']
  const { answers } = await gate.commit(
    't',
    given.map((note) => ({ type: 'noted', data: { note }, origin })),
  )
  expect(answers.map(({ refusal }) => refusal?.refused)).toEqual([
    'invalid_payload',
    'invalid_payload',
    'invalid_payload',
    'too_large',
    'too_large',
    undefined,
  ])
  expect(answers[0]?.refusal?.detail).toContain('data.note.n is of type bigint')
  expect((await gate.snapshot('t')).state).toEqual({ notes: 1 })
})
