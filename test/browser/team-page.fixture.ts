import { open } from 'throughline'
import { serve } from 'throughline/server'
import { uuidv7 } from 'throughline/log'
import { inject, onTestFinished } from 'vitest'
import { claudePrograms } from '../../apps/team/claude-programs.ts'
import { defineTeam } from '../../apps/team/definition.ts'
import { teamService } from '../../apps/team/service.ts'
import { newFolder } from '../folders.fixture.ts'

/** A server whose team is played by the built-in program, in a process of its own. */
export async function serveTeam() {
  const dataDir = newFolder()
  const folder = `${dataDir}/team`
  const app = defineTeam()
  const throughline = await open({ store: 'memory:', apps: [app] })
  const service = await teamService({
    throughline,
    app,
    programs: claudePrograms({ folder, environment: process.env, screenPort: 0 }),
    folder,
    dataDir,
    screenPort: 0,
    served: 'all',
    demoMode: false,
    auth: { authMethod: 'none', needsSetup: false, expiresInMinutes: null },
    askAuth: async () => ({ authMethod: 'none', needsSetup: false, expiresInMinutes: null }),
    now: Date.now,
    id: uuidv7,
    onFault: (error) => {
      throw error
    },
    onWarning: () => undefined,
  })
  const pages = {
    folder: inject('pages'),
    routes: { '/team': 'team/console/index.html', '/audit/:id': 'pages/audit/index.html' },
    frames: { outer: ['/team'], inner: [] },
  }
  const server = await serve(throughline, { port: 0, extensions: [service.extension], pages })
  await service.start()
  onTestFinished(async () => {
    await service.close()
    await server.close()
    await throughline.close(0)
  })
  return `${server.url}/team`
}
