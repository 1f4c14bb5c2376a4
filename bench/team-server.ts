import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'throughline'
import { openClaude } from '../src/programs/index.ts'
import { serve } from 'throughline/server'
import { uuidv7 } from 'throughline/log'
import { defineTeam } from '../apps/team/definition.ts'
import { teamService } from '../apps/team/service.ts'

const TRANSCRIPT = new URL(
  '../src/programs/claude/transcripts/background-2.1.330.jsonl',
  import.meta.url,
)
/** The version of the CLI whose lines the transcript holds. */
const VERSION = '2.1.330'

export interface TeamServer {
  readonly url: string
  /** Starts a program that prints a file, or that a script of Node is, and resolves once it runs. */
  start(program: { readonly file: string } | { readonly script: string }): Promise<void>
  /** Ends the session and its program. */
  end(): Promise<void>
}

/** A team on a server of its own. */
export async function teamServer(store: 'memory' | 'sqlite'): Promise<TeamServer> {
  const dataDir = newFolder()
  const app = defineTeam()
  const url = store === 'memory' ? 'memory:' : `sqlite:${join(dataDir, 'log.db')}`
  const throughline = await open({ store: url, apps: [app] })
  let command = { bin: '', args: [] as readonly string[] }
  const service = await teamService({
    throughline,
    app,
    dataDir,
    folder: join(dataDir, 'team'),
    programs: {
      model: 'recorded',
      open: async () =>
        openClaude({ ...command, cwd: dataDir, env: { PATH: '/usr/bin:/bin' }, version: VERSION }),
    },
    screenPort: 0,
    demoMode: false,
    auth: { authMethod: 'none', needsSetup: false, expiresInMinutes: null },
    askAuth: async () => ({ authMethod: 'none', needsSetup: false, expiresInMinutes: null }),
    served: 'all',
    now: Date.now,
    id: uuidv7,
    onFault: (error) => console.error(error),
    onWarning: (text) => console.warn(text),
  })
  const server = await serve(throughline, { port: 0, extensions: [service.extension] })
  await service.start()
  const post = async (path: string) => {
    const body = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
    const response = await fetch(server.url + path, body)
    if (!response.ok) throw new Error(`Cannot POST ${path}: ${await response.text()}`)
  }
  return {
    url: server.url,
    async start(program) {
      command =
        'file' in program
          ? { bin: 'sh', args: ['-c', `cat "${program.file}"; exec cat > /dev/null`] }
          : { bin: process.execPath, args: ['--eval', program.script, '--'] }
      await post('/api/session/start')
    },
    end: () => post('/api/session/end'),
  }
}

/** Follows the team’s stream from a position until `isLast` says of a frame that it is. */
export async function follow(
  url: string,
  after: number,
  isLast: (frame: string) => boolean,
): Promise<void> {
  const ending = new AbortController()
  const response = await fetch(`${url}/api/events?after=${after}`, { signal: ending.signal })
  let held = ''
  for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    held += text
    for (let end = held.indexOf('\n\n'); end >= 0; end = held.indexOf('\n\n')) {
      const frame = held.slice(0, end)
      held = held.slice(end + 2)
      if (!isLast(frame)) continue
      ending.abort()
      return
    }
  }
}

/** The lines of a recorded session with two sub-agents at once, again and again under ids of their own. */
export function recordedLines(times: number): readonly string[] {
  const [opening = '', ...lines] = readFileSync(TRANSCRIPT, 'utf8').trim().split('\n')
  const session = /"session_id":"([^"]+)"/.exec(lines.join('\n'))?.[1]
  const again = (line: string, time: number) =>
    line
      .replaceAll(/\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g, (id) =>
        id === session ? id : time.toString(16).padStart(8, '0') + id.slice(8),
      )
      .replaceAll(/\b(msg_|toolu_)/g, `$1${time}_`)
  return [
    opening,
    ...Array.from({ length: times }, (_, at) => lines.map((line) => again(line, at))),
  ].flat()
}

/** A message of the lead. It is complete once the next one begins. */
export function saidLine(text: string, at: number): string {
  const id = `msg_said_${at}`
  const uuid = `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
  const message = {
    id,
    type: 'message',
    role: 'assistant',
    model: 'recorded',
    content: [{ type: 'text', text }],
    stop_reason: null,
    usage: {},
  }
  return JSON.stringify({ type: 'assistant', message, parent_tool_use_id: null, uuid })
}

export function fileOf(lines: Iterable<string>): string {
  const file = join(newFolder(), 'output.jsonl')
  for (const line of lines) appendFileSync(file, `${line}\n`)
  return file
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
