import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { emptyFolder } from '../server-process.fixture.ts'
import type { Order, Reading } from './many-streams-readers.ts'
import type { Append } from './many-streams-server.ts'

/** A server and the readers of one of its threads, each in a process of its own. */
export async function manyStreams() {
  const server = start('many-streams-server.ts', join(await emptyFolder(), 'log.db'))
  // Its first word is where it listens.
  const [url] = (await once(server, 'message')) as [string]
  const readers = start('many-streams-readers.ts', url)
  return {
    /** Appends, and gives the head after it. */
    append: (append: Append) => ask<number>(server, append),
    tell: (order: Order) => ask<Reading>(readers, order),
    residentMb: () => memoryMb(server.pid, 'VmRSS'),
    /** The resident memory once garbage is collected. */
    heldMb: async () => {
      await ask(server, 'collect')
      return memoryMb(server.pid, 'VmRSS')
    },
    /** The most that was resident since this was last asked. */
    peakMb: async () => {
      const peak = await memoryMb(server.pid, 'VmHWM')
      await writeFile(`/proc/${server.pid}/clear_refs`, '5')
      return peak
    },
    descriptors: async () => (await readdir(`/proc/${server.pid}/fd`)).length,
  }
}

function start(program: string, argument: string): ChildProcess {
  const child = fork(new URL(program, import.meta.url), [argument], {
    execArgv: ['--conditions=throughline-source', '--expose-gc'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function ask<Answer>(
  child: ChildProcess,
  order: Append | 'collect' | Order,
): Promise<Answer> {
  const answered = once(child, 'message')
  child.send(order)
  // Each program answers every order once, as its type says.
  const [answer] = (await answered) as [Answer]
  return answer
}

async function memoryMb(pid: number | undefined, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024
}
