import { existsSync, readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../../../test/folders.fixture.ts'
import { Child } from './child.ts'

/** Starts a command in its group and one in a session of its own, as Claude Code does, and names both. */
const PROGRAM = `
if (process.argv[1] === 'deaf') process.on('SIGTERM', () => {})
const { spawn } = require('node:child_process')
const start = (detached) => spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { detached, stdio: 'inherit' }).pid
console.log(JSON.stringify([start(false), start(true)]))
process.stdin.on('data', (text) => { if (String(text) === 'end\\n') process.exit(3) })
setInterval(() => {}, 1e6)
`

const ENDS = {
  'ends by itself': (child: Child) => child.write('end'),
  'is killed': (child: Child) => process.kill(child.pid ?? 0, 'SIGKILL'),
  'is stopped': (child: Child) => child.stop('stopped'),
  'is stopped and ignores it': (child: Child) => child.stop('stopped'),
}

test.for(Object.entries(ENDS))(
  '[X31] the commands of a program that %s have ended when it has',
  { timeout: 30_000 },
  async ([how, end], { annotate }) => {
    const args = ['--eval', PROGRAM, ...(how.endsWith('ignores it') ? ['deaf'] : [])]
    const env = { PATH: process.env['PATH'] ?? '' }
    const child = new Child({ bin: process.execPath, args, cwd: newFolder(), env })
    const { commands, reading } = await commandsOf(child)
    onTestFinished(() => commands.filter(isRunning).forEach((pid) => process.kill(pid, 'SIGKILL')))
    expect(commands.filter(isRunning)).toEqual(commands)
    await end(child)
    await Promise.all([child.exited, reading])
    // The system takes a killed process away a moment later.
    await expect.poll(() => commands.filter(isRunning)).toEqual([])
    const left = commands.filter(isRunning)
    await annotate(`${how}: ${left.length} of ${commands.length} commands outlive it`, 'promise')
  },
)

/** The commands that the program has started; its output is read on until it ends. */
async function commandsOf(child: Child) {
  const started = Promise.withResolvers<readonly number[]>()
  const reading = (async () => {
    for await (const [line] of child.lines()) if (line) started.resolve(JSON.parse(line.text))
  })()
  return { commands: await started.promise, reading }
}

/** A process that has ended may wait for its parent to notice. */
function isRunning(pid: number): boolean {
  const file = `/proc/${pid}/stat`
  return existsSync(file) && !/\) Z /.test(readFileSync(file, 'utf8'))
}
