import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createInterface } from 'node:readline'
import { Output } from './output.ts'
import { Player } from './player.ts'
import { echoScript } from './script.ts'
import type { Script } from './script.ts'
import { SessionFile } from './session-file.ts'

/** The options of the real CLI that this one takes, and whether they have a value. */
const OPTIONS: Readonly<Record<string, boolean>> = {
  '--print': false,
  '--input-format': true,
  '--output-format': true,
  '--verbose': false,
  '--replay-user-messages': false,
  '--permission-prompt-tool': true,
  '--permission-mode': true,
  '--model': true,
  '--fallback-model': true,
  '--allowedTools': true,
  '--append-system-prompt': true,
  '--resume': true,
  '--session-id': true,
  '--forward-subagent-text': false,
  '--script': true,
  '--scripted-version': true,
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

function optionsIn(args: readonly string[]): ReadonlyMap<string, string> {
  const options = new Map<string, string>()
  for (let at = 0; at < args.length; at++) {
    const [name = '', ...values] = (args[at] ?? '').split('=')
    if (name === '--version') options.set(name, '')
    else if (!Object.hasOwn(OPTIONS, name)) fail(`error: unknown option '${name}'`)
    else if (!OPTIONS[name] || values.length > 0) options.set(name, values.join('='))
    else options.set(name, args[++at] ?? '')
  }
  return options
}

async function scriptAt(path: string | undefined): Promise<Script> {
  if (path === undefined) return echoScript
  const { script } = (await import(pathToFileURL(path).href)) as { readonly script: Script }
  return script
}

const options = optionsIn(process.argv.slice(2))
const version = options.get('--scripted-version') ?? '2.1.330'
if (options.has('--version')) {
  process.stdout.write(`${version} (Claude Code)\n`)
  process.exit(0)
}
const isOld = version < '2.1.3'
if (isOld && options.has('--forward-subagent-text')) {
  fail("error: unknown option '--forward-subagent-text'")
}
const resumed = options.get('--resume')
const session = resumed ?? options.get('--session-id') ?? randomUUID()
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
  script: await scriptAt(options.get('--script')),
  version,
  model: options.get('--model') ?? 'scripted',
  isOld,
})
process.on('SIGTERM', () => player.terminate())
for await (const line of createInterface({ input: process.stdin })) player.take(line)
await player.end()
