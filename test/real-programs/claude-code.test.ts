import { randomUUID } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { claudeVersion, openClaude } from '../../src/programs/index.ts'
import type { ClaudeSessionParts } from '../../src/programs/index.ts'
import { expect, onTestFinished, test } from 'vitest'
import { eventsUntil, only, untilIdle } from '../../src/programs/scripted.fixture.ts'
import { newFolder } from '../folders.fixture.ts'
import { fullTest } from '../tier.fixture.ts'
import { installed } from './installed.fixture.ts'
import { messagesServer } from './messages-server.fixture.ts'
import type { Reply } from './messages-server.fixture.ts'

const VERSIONS = ['claude-2.1.332', 'claude-2.1.197'] as const

/** The real CLI beside a model on loopback that answers by a script. */
async function realSession(name: (typeof VERSIONS)[number], reply: (text: string) => Reply) {
  const model = await messagesServer(reply)
  onTestFinished(() => model.close())
  const [cwd, home] = [newFolder(), newFolder()]
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    CLAUDE_CONFIG_DIR: join(home, 'claude'),
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'sk-ant-not-a-key',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    IS_SANDBOX: '1',
  }
  const command = { bin: installed(name) ?? '', cwd, env }
  const version = await claudeVersion(command)
  const life = (more: Pick<ClaudeSessionParts, 'resume' | 'sessionId' | 'permissions'> = {}) => {
    const session = openClaude({ ...command, version, permissions: { allow: ['Read'] }, ...more })
    onTestFinished(async () => void (await session.stop()))
    return session
  }
  return { model, cwd, version, life }
}

for (const name of VERSIONS) {
  const real = fullTest.skipIf(installed(name) === undefined)
  /** What the newest version does in every run. */
  const smoke = name === VERSIONS[0] ? test.skipIf(installed(name) === undefined) : real

  real(`${name}: a prompt is answered in one turn, with its usage`, async () => {
    const { life, version } = await realSession(name, () => ({ say: 'Hello from afar.' }))
    const session = life()
    const id = randomUUID()
    await session.prompt({ id, text: 'Hello' })
    const events = await untilIdle(session)
    expect(only(events, 'session')).toMatchObject([{ version }])
    expect(only(events, 'message')).toMatchObject([
      { blocks: [{ type: 'text', text: 'Hello from afar.' }] },
    ])
    expect(only(events, 'turn_ended')).toMatchObject([{ prompts: [id], outcome: 'success' }])
    expect(only(events, 'turn_ended')[0]?.usageByModel.length).toBeGreaterThan(0)
    expect(only(events, 'fault')).toEqual([])
  })

  smoke(`${name}: leave for a tool is asked, and the tool runs once it is given`, async () => {
    const { life, cwd } = await realSession(name, (text) =>
      text.includes('tool_result')
        ? { say: 'Done.' }
        : { call: 'Bash', input: { command: 'echo hi > made.txt', description: 'Writes hi' } },
    )
    const session = life()
    await session.prompt({ id: randomUUID(), text: 'Write a file' })
    const before = await eventsUntil(session, ({ type }) => type === 'permission_asked')
    const [asked] = only(before, 'permission_asked')
    expect(asked).toMatchObject({ toolName: 'Bash', input: { command: 'echo hi > made.txt' } })
    expect(existsSync(join(cwd, 'made.txt'))).toBe(false)
    await session.answer(asked?.request ?? '', { behavior: 'allow', input: asked?.input ?? null })
    const after = await untilIdle(session)
    expect(existsSync(join(cwd, 'made.txt'))).toBe(true)
    expect(only(after, 'tool_result')).toMatchObject([{ toolName: 'Bash', isError: false }])
    expect(only(after, 'turn_ended')).toMatchObject([{ outcome: 'success' }])
  })

  smoke(
    `${name}: [X26] a command that a rule names runs unasked, and one more beside it is asked`,
    async () => {
      const drawing = 'curl -s http://localhost:9/cmd -d'
      const commands = [
        `${drawing} 'FACE happy'`,
        `${drawing} 'FACE happy'; rm -f made.txt`,
        'cat made.txt',
      ]
      let done = 0
      const { life } = await realSession(name, (text) => {
        if (text.includes('tool_result')) done++
        const command = commands[done]
        return command === undefined
          ? { say: 'Done.' }
          : { call: 'Bash', input: { command, description: 'x' } }
      })
      const session = life({ permissions: { allow: [`Bash(${drawing} *)`] } })
      await session.prompt({ id: randomUUID(), text: 'Draw' })
      const before = await eventsUntil(session, ({ type }) => type === 'permission_asked')
      expect(only(before, 'permission_decided')).toMatchObject([
        { input: { command: commands[0] }, behavior: 'allow', rule: `Bash(${drawing} *)` },
      ])
      const [asked] = only(before, 'permission_asked')
      expect(asked).toMatchObject({ input: { command: commands[1] } })
      await session.answer(asked?.request ?? '', { behavior: 'deny', message: 'No' })
      // The CLI holds it to be harmless, and asks all the same.
      const between = await eventsUntil(session, ({ type }) => type === 'permission_asked')
      const [second] = only(between, 'permission_asked')
      expect(second).toMatchObject({ input: { command: commands[2] } })
      await session.answer(second?.request ?? '', { behavior: 'deny', message: 'No' })
      await untilIdle(session)
    },
  )

  real(`${name}: a file that is written is created once, and updated then`, async () => {
    let done = 0
    const { life, cwd } = await realSession(name, (text) => {
      if (text.includes('tool_result')) done++
      const input = { file_path: join(cwd, 'notes.md'), content: `Note ${done}` }
      return done === 2 ? { say: 'Done.' } : { call: 'Write', input }
    })
    const session = life({ permissions: { allow: ['Read(./**)', 'Edit(./**)'] } })
    await session.prompt({ id: randomUUID(), text: 'Write' })
    const results = only(await untilIdle(session), 'tool_result')
    expect(results.map(({ fileChange }) => fileChange)).toEqual(['create', 'update'])
  })

  real(`${name}: [X32] a sub-agent that asks is named by the call that started it`, async () => {
    const work = { description: 'Look', prompt: 'SUBWORK', subagent_type: 'general-purpose' }
    const { life } = await realSession(name, (text) => {
      if (text.includes('tool_result')) return { say: 'Done.' }
      if (text.includes('SUBWORK')) return { call: 'Bash', input: { command: 'touch a.txt' } }
      return { call: 'Agent', input: { ...work, run_in_background: false } }
    })
    const session = life({ permissions: { allow: ['Agent', 'Task'] } })
    await session.prompt({ id: randomUUID(), text: 'Delegate' })
    const events = await eventsUntil(session, ({ type }) => type === 'permission_asked')
    const started = only(events, 'part').find(({ block }) => block.type === 'tool_use')?.block
    expect(started).toMatchObject({ name: 'Agent' })
    const { id } = started as { readonly id: string }
    expect(only(events, 'permission_asked')).toMatchObject([{ toolName: 'Bash', parent: id }])
  })

  real(`${name}: a file that a rule denies is not read, though its folder is allowed`, async () => {
    const files = ['notes.txt', '.env']
    let done = 0
    const { life, cwd } = await realSession(name, (text) => {
      if (text.includes('tool_result')) done++
      const file = files[done]
      return file === undefined
        ? { say: 'Done.' }
        : { call: 'Read', input: { file_path: join(cwd, file) } }
    })
    for (const file of files) writeFileSync(join(cwd, file), 'A word')
    const session = life({ permissions: { allow: ['Read(./**)'], deny: ['Read(./.env)'] } })
    await session.prompt({ id: randomUUID(), text: 'Read' })
    const events = await untilIdle(session)
    expect(only(events, 'permission_asked')).toEqual([])
    expect(only(events, 'tool_result').map(({ isError }) => isError)).toEqual([false, true])
  })

  smoke(
    `${name}: its questions are answered, and a message with a yes reaches the model`,
    async () => {
      const questions = [
        {
          question: 'Which database?',
          header: 'Store',
          multiSelect: false,
          options: [
            { label: 'Postgres', description: 'A server' },
            { label: 'SQLite', description: 'A file' },
          ],
        },
      ]
      const bash = { command: 'touch made.txt', description: 'Makes a file' }
      const { life, model } = await realSession(name, (text) => {
        if (text.includes('Which database?') && text.includes('tool_result')) {
          return { call: 'Bash', input: bash }
        }
        return text.includes('tool_result')
          ? { say: 'Done.' }
          : { call: 'AskUserQuestion', input: { questions } }
      })
      const session = life()
      const id = randomUUID()
      await session.prompt({ id, text: 'Choose' })
      const before = await eventsUntil(session, ({ type }) => type === 'permission_asked')
      const [asked] = only(before, 'permission_asked')
      expect(asked?.questions).toEqual([
        { question: 'Which database?', options: ['Postgres', 'SQLite'], mayBeSeveral: false },
      ])
      const input = { questions, answers: { 'Which database?': 'SQLite' } }
      await session.answer(asked?.request ?? '', { behavior: 'allow', input })
      const between = await eventsUntil(session, ({ type }) => type === 'permission_asked')
      expect(only(between, 'tool_result')[0]?.content).toContain('SQLite')
      const [second] = only(between, 'permission_asked')
      const message = 'And be careful'
      const answer = { behavior: 'allow', input: second?.input ?? null, message } as const
      await session.answer(second?.request ?? '', answer)
      const after = await untilIdle(session)
      expect(only(after, 'turn_ended').flatMap(({ prompts }) => prompts)).toContain(id)
      expect(model.asked.join('\n')).toContain('And be careful')
    },
  )

  real(`${name}: an interrupt ends the turn, and the next prompt is answered`, async () => {
    const { life } = await realSession(name, (text) =>
      text.includes('Wait') && !text.includes('Next') ? { hang: true } : { say: 'Next.' },
    )
    const session = life()
    await session.prompt({ id: randomUUID(), text: 'Wait' })
    await eventsUntil(session, ({ type }) => type === 'session')
    await session.interrupt()
    const events = await untilIdle(session)
    expect(only(events, 'turn_ended').map(({ outcome }) => outcome)).not.toContain('success')
    await session.prompt({ id: randomUUID(), text: 'Next' })
    const next = await untilIdle(session)
    expect(only(next, 'turn_ended')).toMatchObject([{ outcome: 'success' }])
  })

  real(`${name}: a provider that refuses the request fails the turn`, async () => {
    const { life } = await realSession(name, () => ({ status: 400 }))
    const session = life()
    await session.prompt({ id: randomUUID(), text: 'Hello' })
    const events = await untilIdle(session)
    expect(only(events, 'turn_ended')).toMatchObject([{ outcome: 'error' }])
    expect(only(events, 'provider_failed').length).toBeGreaterThan(0)
  })

  real(
    `${name}: an answered prompt that is written again to a later process runs no second time`,
    async () => {
      const { life, model } = await realSession(name, () => ({ say: 'Once.' }))
      const first = life()
      const id = randomUUID()
      await first.prompt({ id, text: 'Pay the bill' })
      const [session] = only(await untilIdle(first), 'session')
      await first.stop()
      const calls = model.asked.filter((text) => text.includes('Pay the bill')).length
      const second = life({ resume: session?.sessionId ?? '' })
      await second.prompt({ id, text: 'Pay the bill' })
      const events = await untilIdle(second)
      expect(only(events, 'prompt_known')).toMatchObject([{ prompt: id }])
      expect(only(events, 'turn_ended')).toEqual([])
      expect(model.asked.filter((text) => text.includes('Pay the bill'))).toHaveLength(calls)
    },
  )
}
