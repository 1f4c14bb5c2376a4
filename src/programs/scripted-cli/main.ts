import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { Output } from './output.ts'
import { Player } from './player.ts'
import { echoScript } from './script.ts'
import type { Script } from './script.ts'
import { SessionFile } from './session-file.ts'

/** The options of the real CLI that this one takes, and two of its own. */
const OPTIONS = {
  version: { type: 'boolean' },
  print: { type: 'boolean' },
  'input-format': { type: 'string' },
  'output-format': { type: 'string' },
  verbose: { type: 'boolean' },
  'replay-user-messages': { type: 'boolean' },
  'permission-prompt-tool': { type: 'string' },
  'permission-mode': { type: 'string' },
  model: { type: 'string' },
  'fallback-model': { type: 'string' },
  allowedTools: { type: 'string' },
  disallowedTools: { type: 'string' },
  settings: { type: 'string' },
  'append-system-prompt': { type: 'string' },
  resume: { type: 'string' },
  'session-id': { type: 'string' },
  'forward-subagent-text': { type: 'boolean' },
  script: { type: 'string' },
  'scripted-version': { type: 'string' },
} as const

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

function optionsIn(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS }).values
  } catch (error) {
    return fail(String(error))
  }
}

async function scriptAt(path: string | undefined): Promise<Script> {
  if (path === undefined) return echoScript
  const { script } = (await import(pathToFileURL(path).href)) as { readonly script: Script }
  return script
}

const options = optionsIn(process.argv.slice(2))
const version = options['scripted-version'] ?? '2.1.330'
if (options.version) {
  process.stdout.write(`${version} (Claude Code)\n`)
  process.exit(0)
}
const isOld = version < '2.1.3'
if (isOld && options['forward-subagent-text']) {
  fail("error: unknown option '--forward-subagent-text'")
}
const { resume: resumed } = options
const session = resumed ?? options['session-id'] ?? randomUUID()
const folder = join(process.env['CLAUDE_CONFIG_DIR'] ?? '.scripted-claude', 'sessions')
const file = SessionFile.open(folder, session, resumed !== undefined)
if (!file) {
  fail(
    resumed === undefined
      ? `Error: Session ID ${session} is already in use.`
      : `No conversation found with session ID: ${session}`,
  )
}
const player = new Player({
  output: new Output(session),
  file,
  script: await scriptAt(options.script),
  version,
  model: options.model ?? 'scripted',
  isOld,
})
process.on('SIGTERM', () => player.terminate())
for await (const line of createInterface({ input: process.stdin })) player.take(line)
await player.end()
