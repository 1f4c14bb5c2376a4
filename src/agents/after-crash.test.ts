import { expect, test } from 'vitest'
import { z } from 'zod'
import { CallerView, EMPTY_RUN_TREE, foldRunTree } from '../activity/index.ts'
import { defineDomain } from '../domain/index.ts'
import { scriptedModel } from '../models/index.ts'
import type { ScriptedReply } from '../models/index.ts'
import { defineAgent } from './define/agent.ts'
import type { AgentParts } from './define/agent.ts'
import { Holdings } from '../log/index.ts'
import type { EventLog, LogRecord } from '../log/index.ts'
import { expectWhole, withAgents } from './runs.fixture.ts'
import { memoryLog, recordsOf } from '../../test/memory-log.fixture.ts'

/** Answers "I am here", unless it dies: then it hangs as it is. */
function helper(parts: Partial<AgentParts<object>> = {}, dies = false) {
  return defineAgent({
    name: 'helper',
    model: scriptedModel(({ messages }): ScriptedReply => {
      const last = messages.at(-1)
      if (last?.text === 'use it') return { toolCalls: [{ name: 'work', input: {} }] }
      return dies && last?.role !== 'tool' ? 'I was cut' : `I am here for "${last?.text}".`
    }),
    tools: { work: { inputSchema: z.object({}), execute: () => 'worked' } },
    ...parts,
  })
}

/** The first records of a turn, as a process leaves them that dies in the middle of it. */
async function cutOff(input: string, until: (record: LogRecord) => boolean): Promise<EventLog> {
  const whole = memoryLog()
  await withAgents([helper({}, true)], { log: whole }).runs.start('t', {
    agent: 'helper',
    input,
    actor: 'ann',
  }).result
  const log = memoryLog()
  for (const { type, data, origin, id } of await recordsOf(whole, 't')) {
    await log.append('t', [{ id, type, data, origin }])
    const last = (await recordsOf(log, 't')).at(-1)
    if (last && until(last)) break
  }
  return log
}

const inItsText = ({ type, origin }: LogRecord) =>
  type === 'TEXT_MESSAGE_CONTENT' && origin.source === 'model'
const afterItsTool = ({ type }: LogRecord) => type === 'TOOL_CALL_RESULT'

/** Resolves with the reasons of the ends of runs at depth 0, once so many have ended. */
async function ends(log: EventLog, count: number): Promise<readonly string[]> {
  const found: string[] = []
  for await (const records of log.subscribe('t')) {
    for (const { type } of records) if (/^RUN_(FINISHED|ERROR)$/.test(type)) found.push(type)
    if (found.length >= count) break
  }
  return found
}

test('a turn that a crash cut off runs once more, and its page sees one answer', async () => {
  const log = await cutOff('hello', inItsText)
  const { runs } = withAgents([helper({ afterCrash: 'again' })], { log })
  await runs.recover('t')
  expect(await ends(log, 2)).toEqual(['RUN_ERROR', 'RUN_FINISHED'])
  const view = new CallerView()
  const events = (await recordsOf(log, 't')).flatMap((record) => view.take(record))
  const { turns } = foldRunTree(EMPTY_RUN_TREE, events)
  expect(turns).toHaveLength(1)
  const said = turns[0]?.runs.at(-1)?.items.filter(({ kind }) => kind === 'text')
  expect(said).toMatchObject([{ text: 'I am here for "hello".', status: 'complete' }])
  const [half] = (await recordsOf(log, 't')).filter(
    ({ type, origin }) => type === 'TEXT_MESSAGE_END' && origin.source === 'system',
  )
  expect(half?.data).toMatchObject({ metadata: { throughline: { failed: 'interrupted' } } })
  const people = (await recordsOf(log, 't')).filter(
    ({ type, origin }) => type === 'TEXT_MESSAGE_START' && origin.source === 'ui',
  )
  expect(people).toHaveLength(1)
  await expectWhole(log)
})

test.each([
  ['a message', { input: 'hello' }, true],
  ['an event alone', { events: [{ type: 'clicked', data: {} }] }, false],
] as const)(
  'a turn that began with %s runs again as one of the same kind',
  async (_, asked, typed) => {
    const { event, domain } = defineDomain<{ readonly typed?: boolean }>()
    const pages = domain({
      name: 'pages',
      initial: {},
      events: {
        clicked: event({ schema: z.object({}), by: [{ source: 'ui' }], reduce: (state) => state }),
        said: event({
          schema: z.object({}),
          by: [{ source: 'model', when: (_state, _data, at) => at.typed }],
          reduce: () => ({ typed: true }),
        }),
      },
    })
    const clerk = (reply: string) =>
      defineAgent({
        name: 'clerk',
        domain: pages,
        afterCrash: 'again',
        emits: ['said'],
        model: scriptedModel(() => reply),
      })
    const whole = memoryLog()
    const dying = withAgents([clerk('I was cut')], { log: whole, domain: pages })
    await dying.runs.start('t', { agent: 'clerk', ...asked, actor: 'ann' }).result
    const log = memoryLog()
    for (const { type, data, origin, id } of await recordsOf(whole, 't')) {
      if (type === 'RUN_FINISHED') break
      if (type === 'TEXT_MESSAGE_START' && origin.source === 'model') break
      await log.append('t', [{ id, type, data, origin }])
    }
    const { runs, gate } = withAgents([clerk(`<agent-event type="said" data='{}' />`)], {
      log,
      domain: pages,
    })
    await runs.recover('t')
    await ends(log, 2)
    expect((await gate.snapshot('t')).state).toEqual(typed ? { typed } : {})
  },
)

test('by default it ends as failed', async () => {
  const log = await cutOff('hello', inItsText)
  const { runs } = withAgents([helper()], { log })
  await runs.recover('t')
  expect((await runs.start('t', { agent: 'helper', input: 'and now' }).result).text).toContain(
    'now',
  )
  expect(await ends(log, 2)).toEqual(['RUN_ERROR', 'RUN_FINISHED'])
})

test('a turn that left a result of a tool does not run again', async () => {
  const log = await cutOff('use it', afterItsTool)
  const { runs } = withAgents([helper({ afterCrash: 'again' })], { log })
  await runs.recover('t')
  await runs.start('t', { agent: 'helper', input: 'and now' }).result
  const starts = (await recordsOf(log, 't')).filter(({ type }) => type === 'RUN_STARTED')
  expect(starts).toHaveLength(2)
})

test('a turn that is cut off a second time ends as failed', async () => {
  const log = await cutOff('hello', inItsText)
  const hangs = scriptedModel(() => 'x'.repeat(500), { chunkLength: 1, chunkDelayMs: 20 })
  const second = withAgents([helper({ afterCrash: 'again', model: hangs })], { log })
  await second.runs.recover('t')
  for await (const records of log.subscribe('t')) {
    if (records.some(({ data }) => JSON.stringify(data).includes('"again":true'))) break
  }
  const dead = memoryLog()
  for (const { type, data, origin, id } of await recordsOf(log, 't')) {
    await dead.append('t', [{ id, type, data, origin }])
  }
  const third = withAgents([helper({ afterCrash: 'again' })], { log: dead })
  await third.runs.recover('t')
  await third.runs.start('t', { agent: 'helper', input: 'last' }).result
  expect(await ends(dead, 3)).toEqual(['RUN_ERROR', 'RUN_ERROR', 'RUN_FINISHED'])
  await second.runs.cancel('t')
})

test('two processes that find it run it once', async () => {
  const log = await cutOff('hello', inItsText)
  const holdings = new Holdings(log.leases)
  const servers = [1, 2].map(() => withAgents([helper({ afterCrash: 'again' })], { log, holdings }))
  await Promise.all(servers.map(({ runs }) => runs.recover('t')))
  await ends(log, 2)
  await servers[0]?.runs.start('t', { agent: 'helper', input: 'and now' }).result
  const starts = (await recordsOf(log, 't')).filter(({ type }) => type === 'RUN_STARTED')
  expect(starts).toHaveLength(3)
})

test('another word for it is refused where the agent is defined', () => {
  expect(() => helper({ afterCrash: 'retry' as never })).toThrow(
    'its afterCrash is "retry"; give "again", or "fail", the default',
  )
})
