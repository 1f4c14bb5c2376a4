import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { newFolder } from '../../test/folders.fixture.ts'
import { programArguments } from '../../test/program.fixture.ts'
import { bareEnvironment } from '../../test/server-process.fixture.ts'
import { timesInTier } from '../../test/tier.fixture.ts'
import { claudeVersion, openClaude } from './index.ts'
import {
  ask,
  eventsUntil,
  only,
  playing,
  scriptedSession,
  untilExit,
  untilIdle,
} from './scripted.fixture.ts'
import type { ScriptStep } from './index.ts'

const RESULT = { type: 'result', subtype: 'success', is_error: false }
const CALL = { type: 'tool_use', id: 'twice', name: 'Bash', input: {} }

function assistant(id: string, content: readonly unknown[]): ScriptStep {
  const message = { id, model: 'm', content }
  return { line: JSON.stringify({ type: 'assistant', message, parent_tool_use_id: null }) }
}

test.each<readonly [string, ScriptStep, string]>([
  ['a line of more than 10 MB', { longLine: 11 * 1024 * 1024 }, 'line_too_long'],
  ['bytes that are no UTF-8', { invalidUtf8: true }, 'invalid_utf8'],
  ['a line that is no JSON', { line: '{"type":"assis' }, 'no_json'],
  ['a line whose members do not fit', { line: '{"type":"assistant"}' }, 'bad_line'],
])('[D036] %s is a fault, and the session goes on', async (_, step, fault) => {
  const { session } = scriptedSession()
  await ask(session, playing(step, { text: 'Still here' }))
  const events = await untilIdle(session)
  expect(only(events, 'fault')).toMatchObject([{ fault }])
  expect(only(events, 'message').at(-1)).toMatchObject({ blocks: [{ text: 'Still here' }] })
})

test('[D036] lines of unknown types are ignored', async () => {
  const { session } = scriptedSession()
  await ask(session, playing({ line: '{"type":"new"}' }, { line: '[]' }, { line: 'null' }))
  expect(only(await untilIdle(session), 'fault')).toEqual([])
})

test('an id that is used twice is a fault: a second call of one id does not count', async () => {
  const { session } = scriptedSession()
  const play = [assistant('m1', [CALL]), assistant('m2', [CALL]), assistant('m1', [])]
  await ask(session, playing(...play))
  const events = await untilIdle(session)
  expect(only(events, 'fault').map(({ fault }) => fault)).toEqual([
    'id_used_twice',
    'id_used_twice',
  ])
})

test('a result of no turn, and a result of no call, are faults that end nothing', async () => {
  const { session } = scriptedSession()
  const stray = { type: 'tool_result', tool_use_id: 'nobody', content: 'x' }
  const user = JSON.stringify({ type: 'user', message: { content: [stray] } })
  const lines = [{ line: user }, { line: JSON.stringify(RESULT) }, { waitMs: 50 }]
  // The sub-agent's lines come between turns.
  const agent = { title: 'A', steps: [{ waitMs: 20 }, ...lines], report: 'Done', background: true }
  const id = await ask(session, playing({ agent }))
  const events = await untilIdle(session)
  expect(only(events, 'fault').map(({ fault }) => fault)).toEqual([
    'stray_tool_result',
    'stray_result',
  ])
  expect(only(events, 'turn_ended').map(({ prompts }) => prompts)).toEqual([[id], []])
})

test('[D026] a program that exits within a line: the half line is reported, and the exit has its code', async () => {
  const { session } = scriptedSession()
  await ask(session, playing({ line: '{"type":"assis', isHalf: true }, { exit: 3 }))
  expect(only(await untilExit(session), 'fault')).toMatchObject([{ fault: 'half_line' }])
  expect(await session.exited).toMatchObject({ reason: 'exited', code: 3 })
  await expect(ask(session, 'Hi')).rejects.toMatchObject({ code: 'write_failed' })
})

test('[D063] a program that prints nothing within a turn is ended: turn_timeout', async () => {
  const { session } = scriptedSession({ limits: { turnSilenceMaxMs: 200 } })
  await ask(session, playing({ hang: true }))
  await untilExit(session)
  expect(await session.exited).toMatchObject({ reason: 'turn_timeout' })
})

test('[D025] [D064] a program of which nothing is asked is ended: inactivity_timeout', async () => {
  const { session } = scriptedSession({ limits: { inactivityMaxMs: 300 } })
  await ask(session, 'Hi')
  await untilExit(session)
  expect(await session.exited).toMatchObject({ reason: 'inactivity_timeout' })
})

test('a program that does not end its turn after an interrupt is ended', async () => {
  const { session } = scriptedSession({ limits: { interruptMaxMs: 200 } })
  await ask(session, playing({ text: 'Hi' }, { hang: true }))
  await eventsUntil(session, ({ type }) => type === 'part')
  await session.interrupt()
  await untilExit(session)
  expect(await session.exited).toMatchObject({ reason: 'interrupt_timeout' })
})

test('a program that ignores SIGTERM gets SIGKILL', async () => {
  const { session } = scriptedSession()
  await ask(session, playing({ text: 'Hi' }, { hang: true, ignoresTerm: true }))
  await eventsUntil(session, ({ type }) => type === 'part')
  expect(await session.stop()).toMatchObject({ reason: 'stopped', signal: 'SIGKILL' })
})

test('a program that does not answer after its start is ended: start_timeout', async () => {
  const node = { bin: process.execPath, args: ['-e', 'setInterval(() => {}, 1e6)', '--'] }
  const session = openClaude({ ...node, version: '2.1.330', limits: { startMaxMs: 300 } })
  await expect(session.ready).rejects.toMatchObject({ code: 'start_timeout' })
})

test('a program without a version, or a missing one, gives an error that names it', async () => {
  await expect(claudeVersion({ bin: '/no/such/claude' })).rejects.toMatchObject({
    code: 'no_program',
  })
  const silent = { bin: process.execPath, args: ['-e', '', '--'] }
  await expect(claudeVersion(silent)).rejects.toMatchObject({ code: 'program_exited' })
})

const FLOOD_MB = timesInTier({ quick: 20, full: 100 })
const MEMORY_MB = 0.64 * FLOOD_MB

test(`${FLOOD_MB} MB of output wait for a reader that takes its time, in at most ${MEMORY_MB} MB more memory in use`, async () => {
  const count = FLOOD_MB * 1_000
  const node = ['--expose-gc', ...programArguments('read-flood'), newFolder(), `${count}`]
  const options = { env: bareEnvironment() }
  const { stdout } = await promisify(execFile)(process.execPath, node, options)
  const { parts, most } = JSON.parse(stdout) as { readonly parts: number; readonly most: number }
  expect(parts).toBe(count + 1)
  expect(most).toBeLessThan(MEMORY_MB * 1024 * 1024)
})

test('the program gets named variables only: never the secret, nor the operator’s token', async () => {
  const { childEnvironment, claudeEnvironment } = await import('./index.ts')
  const from = {
    PATH: '/bin',
    SECRET: 's',
    OPERATOR_TOKEN: 't',
    OTHER: 'o',
    ANTHROPIC_API_KEY: 'k',
  }
  expect(childEnvironment(from)).toEqual({ PATH: '/bin' })
  expect(childEnvironment(from, ['OTHER', 'SECRET', 'OPERATOR_TOKEN'])).toEqual({
    PATH: '/bin',
    OTHER: 'o',
  })
  expect(claudeEnvironment(from)).toEqual({ PATH: '/bin', ANTHROPIC_API_KEY: 'k' })
})
