import { expect, test, vi } from 'vitest'
import { newFolder } from '../../test/folders.fixture.ts'
import { claudePrograms } from './claude-programs.ts'
import { openLife } from './team-life.fixture.ts'

const AS = { actor: 'Ada' }
const SCREEN = 'http://localhost:3848/cmd'

test('[X26] the program draws on its screen unasked, and asks for what is more than drawing', async () => {
  const folder = newFolder()
  const programs = claudePrograms({ folder, environment: process.env, screenPort: 3848 })
  const life = await openLife(folder, programs)
  await life.team.start({}, AS)
  const draw = `curl -s ${SCREEN} -d 'FACE happy'`
  const options = ['-d', '--data', '--data-raw', '--data-binary']
  const screens = [SCREEN, SCREEN.replace('localhost', '127.0.0.1')]
  const ways = screens.flatMap((url) => options.map((option) => `curl -s ${url} ${option}`))
  const drawAll = ways.map((way) => `${way} CLR`).join('; ')
  const call = (command: string) => ({
    tool: { name: 'Bash', input: { command }, result: '{"ok":true}', asks: true },
  })
  const text = JSON.stringify({ play: [call(draw), call(drawAll), call(`${draw}; rm -rf memory`)] })
  await life.team.propose('user_message', { text, speakerName: 'Ada', targetAgent: null }, AS)
  const records = await vi.waitFor(async () => {
    const all = await life.records()
    expect(all.some(({ type }) => type === 'permission_asked')).toBe(true)
    return all
  }, 20_000)
  const named = (type: string) => records.filter((each) => each.type === type)
  expect(named('permission_decided').map(({ data }) => data)).toMatchObject([
    { toolName: 'Bash', behavior: 'allow', rule: `Bash(curl -s ${SCREEN} -d *)` },
    { behavior: 'allow', rule: ways.map((way) => `Bash(${way} *)`).join(', ') },
  ])
  expect(named('permission_asked').map(({ data }) => data)).toMatchObject([
    { toolName: 'Bash', input: expect.stringContaining('rm -rf memory') },
  ])
  expect((await life.events()).find(({ type }) => type === 'screen_command')).toMatchObject({
    command: 'FACE happy',
  })
  await life.close()
}, 60_000)
