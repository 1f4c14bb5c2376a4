import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { App, Throughline } from 'throughline'
import type { Extension } from 'throughline/server'
import { DocumentStore } from './documents/index.ts'
import { TEAM_THREAD } from './events/index.ts'
import type { Budget, TeamState } from './events/index.ts'
import { listenForScreen } from './screen/screen-server.ts'
import type { ScreenServer } from './screen/screen-server.ts'
import { writeInstructions } from './instructions.ts'
import { MEMORY_FOLDER } from './reader/index.ts'
import { mountTeam } from './routes/team-routes.ts'
import { Team } from './session/index.ts'
import type { Auth, Programs } from './session/index.ts'

export interface TeamServiceParts {
  /** Has the team open. */
  readonly throughline: Throughline
  readonly app: App<TeamState>
  readonly programs: Programs
  /** The folder that the program works in; its artifacts lie under `memory/` in it. */
  readonly folder: string
  /** The folder of the documents. */
  readonly dataDir: string
  /** 0: no screen listens. */
  readonly screenPort: number
  readonly demoMode: boolean
  /** What a session may spend, unless its start says it; by default there is no limit. */
  readonly budget?: Budget
  /** How the program is signed in. */
  readonly auth: Auth
  readonly askAuth: () => Promise<Auth>
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** A fresh UUID. */
  readonly id: () => string
  readonly onFault: (error: unknown) => void
  /** Tells the people who run the server of something that the team works without. */
  readonly onWarning: (text: string) => void
  /** Which events readers get: a log in memory is a window of the newest. */
  readonly served: 'all' | 'newest'
  readonly heartbeatMs?: number
}

export interface TeamService {
  readonly extension: Extension
  /** Goes on with the session that the last process left open. */
  start(): Promise<void>
  /** Ends the program; the next process goes on with its session. */
  close(): Promise<void>
}

/** Only the owner reads the team's files, whatever the umask. */
const OWNER_ONLY = 0o700

/** The team’s routes and its program over an application that is open. */
export async function teamService(parts: TeamServiceParts): Promise<TeamService> {
  const { throughline, app, dataDir, folder, onFault } = parts
  const { log } = throughline
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY })
  await chmod(folder, OWNER_ONLY)
  await mkdir(join(folder, MEMORY_FOLDER), { recursive: true })
  await writeInstructions(folder, parts.screenPort)
  const file = join(dataDir, 'team-documents.jsonl')
  const documents = await DocumentStore.open({ log, thread: TEAM_THREAD, file, onFault })
  const opened = throughline.app(app)
  const screen = new Screen(parts)
  const programs = screen.listeningFor(parts.programs)
  const team = new Team({ ...parts, programs, log, opened, documents })
  let endStreams = (): void => undefined
  return {
    extension: {
      mount(hono, access) {
        endStreams = mountTeam(hono, { ...parts, ...access, log, opened, team, documents })
      },
      health: () => team.health,
      close: () => endStreams(),
    },
    start: () => team.recover(),
    async close() {
      await team.close()
      await documents.close()
      await screen.close()
    },
  }
}

/** Listens for what programs draw, from the first one that is started. */
class Screen {
  readonly #parts: Pick<TeamServiceParts, 'screenPort' | 'onWarning'>
  #server: ScreenServer | undefined

  constructor(parts: Pick<TeamServiceParts, 'screenPort' | 'onWarning'>) {
    this.#parts = parts
  }

  listeningFor(programs: Programs): Programs {
    return {
      model: programs.model,
      open: async (wish) => {
        await this.#listen()
        return programs.open(wish)
      },
    }
  }

  async close(): Promise<void> {
    await this.#server?.close()
  }

  /** The team works without a screen too: its drawing is on record. */
  async #listen(): Promise<void> {
    const { screenPort, onWarning } = this.#parts
    if (screenPort === 0 || this.#server) return
    try {
      this.#server = await listenForScreen(screenPort)
    } catch (error) {
      onWarning(`${whyNotListening(screenPort, error)}. The team works on without its screen.`)
    }
  }
}

function whyNotListening(port: number, error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return `Another program uses port ${port}, so set SCREEN_PORT to a free one and start again`
  }
  return `Cannot listen on port ${port} (SCREEN_PORT): ${String(error)}`
}
