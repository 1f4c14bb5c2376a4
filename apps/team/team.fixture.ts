import { open } from 'throughline'
import { serve } from 'throughline/server'
import type { ServeOptions } from 'throughline/server'
import { uuidv7 } from 'throughline/log'
import { newFolder } from '../../test/folders.fixture.ts'
import { defineTeam } from './definition.ts'
import type { Budget, TeamEvent } from './events/index.ts'
import { teamService } from './service.ts'
import type { Auth } from './session/index.ts'
import { scriptedPrograms } from './session/scripted-team.fixture.ts'
import type { Script } from './session/scripted-team.fixture.ts'

export interface TeamOptions {
  readonly script: Script
  readonly dataDir?: string
  readonly store?: string
  readonly auth?: Auth
  readonly askAuth?: () => Promise<Auth>
  /** Any but `scripted` stands for a program that calls a model. */
  readonly model?: string
  readonly budget?: Budget
  readonly heartbeatMs?: number
  readonly screenPort?: number
  readonly authenticate?: ServeOptions['authenticate']
}

/** A server with a team alone, whose program follows a script. */
export async function openTeam({
  script,
  dataDir = newFolder(),
  store = 'memory:',
  auth = { authMethod: 'none', needsSetup: false, expiresInMinutes: null },
  askAuth = async () => auth,
  model = 'scripted',
  budget,
  heartbeatMs = 5_000,
  screenPort = 0,
  authenticate,
}: TeamOptions) {
  const programs = scriptedPrograms(script, model)
  const app = defineTeam()
  const throughline = await open({ store, apps: [app] })
  const faults: unknown[] = []
  const warnings: string[] = []
  const service = await teamService({
    throughline,
    app,
    programs,
    folder: `${dataDir}/team`,
    dataDir,
    screenPort,
    demoMode: false,
    served: store === 'memory:' ? 'newest' : 'all',
    ...(budget && { budget }),
    auth,
    askAuth,
    now: Date.now,
    id: uuidv7,
    onFault: (error) => void faults.push(error),
    onWarning: (text) => void warnings.push(text),
    heartbeatMs,
  })
  const extensions = [service.extension]
  const server = await serve(throughline, {
    port: 0,
    extensions,
    ...(authenticate && { authenticate }),
  })
  await service.start()
  const post = (path: string, body: unknown = {}) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  return {
    ...server,
    programs,
    dataDir,
    faults,
    warnings,
    log: throughline.log,
    post,
    get: (path: string, headers: Record<string, string> = {}) =>
      fetch(server.url + path, { headers }),
    events: (path?: string, headers?: Record<string, string>) => follow(server.url, path, headers),
    async close() {
      await service.close()
      await server.close()
      await throughline.close(0)
    },
  }
}

/** The team’s stream as it arrives: its frames and its events. */
function follow(url: string, path = '/api/events', headers: Record<string, string> = {}) {
  const ending = new AbortController()
  const events: TeamEvent[] = []
  const frames: string[] = []
  const reading = (async () => {
    const response = await fetch(url + path, { headers, signal: ending.signal })
    let held = ''
    for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const [rest = '', ...whole] = (held + text).split('\n\n').toReversed()
      held = rest
      for (const frame of whole.toReversed()) {
        frames.push(frame)
        if (/^event: /m.test(frame)) continue
        const data = /^data: (.*)$/m.exec(frame)?.[1]
        if (data !== undefined) events.push(JSON.parse(data) as TeamEvent)
      }
    }
  })().catch((error: unknown) => error)
  return {
    events,
    frames,
    async close() {
      ending.abort()
      await reading
    },
  }
}
