import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { claudePrograms } from '../../apps/team/claude-programs.ts'
import { openLife } from '../../apps/team/team-life.fixture.ts'
import { newFolder } from '../folders.fixture.ts'
import { installed } from './installed.fixture.ts'
import { messagesServer } from './messages-server.fixture.ts'

const VERSIONS = ['claude-2.1.332', 'claude-2.1.197'] as const
const WAYS = {
  'a wrong key': { ANTHROPIC_API_KEY: 'sk-ant-not-a-key' },
  'a wrong token': { CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-not-a-token' },
  'no login': {},
}
/** The CLI itself repeats refused calls for three minutes. */
const SAID_WITHIN_MS = 20_000

for (const name of VERSIONS) {
  for (const [way, key] of Object.entries(WAYS)) {
    test.skipIf(installed(name) === undefined)(
      `[S19] [D058] ${name}: ${way} is said at once, and the turn ends`,
      async () => {
        const model = await messagesServer(() => ({ status: 401 }))
        const folder = newFolder()
        const programs = claudePrograms({
          bin: installed(name),
          folder,
          screenPort: 0,
          environment: {
            PATH: process.env['PATH'],
            HOME: folder,
            CLAUDE_CONFIG_DIR: join(folder, 'claude'),
            ANTHROPIC_BASE_URL: model.url,
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
            DISABLE_AUTOUPDATER: '1',
            ...key,
          },
        })
        const life = await openLife(folder, programs)
        onTestFinished(async () => {
          await life.close()
          model.close()
        })
        await life.team.start({}, {})
        const events = await vi.waitFor(async () => {
          const all = await life.events()
          expect(all.some(({ type }) => type === 'claude_result')).toBe(true)
          return all
        }, SAID_WITHIN_MS)
        const failed = events.filter(({ type }) => type === 'server_error')
        expect(failed).toMatchObject([
          { code: 'auth_failed', message: expect.stringContaining('claude auth login') },
        ])
        expect(events.findLast(({ type }) => type === 'auth_state')).toMatchObject({
          needsSetup: true,
        })
        expect(events.find(({ type }) => type === 'claude_result')).toMatchObject({
          subtype: 'error',
        })
      },
      60_000,
    )
  }
}
