import { parentPort, workerData } from 'node:worker_threads'
import { assert } from '../assert/index.ts'
import { inBackground } from '../platform/index.ts'
import { definitionsIn } from './definition.ts'
import type { ThreadReport } from './difference.ts'
import { watchImpurity } from './impurity.ts'
import { replayThread } from './replay-thread.ts'
import { openStoredThreads } from './stored-threads.ts'
import type { WorkerTask } from './worker-task.ts'

const task = workerData as WorkerTask
const port = parentPort
assert(port, 'Cannot replay: this file is the start of a worker')
const watch = watchImpurity()
const stored = await openStoredThreads(task)
const definitions = await load(task.against)
const bases = task.base === undefined ? [] : await load(task.base)

const parts = { stored, definitions, bases, level: task.level, watch }

port.on('message', (threads: readonly string[]) => inBackground(replay(threads)))
port.postMessage('ready')

async function replay(threads: readonly string[]): Promise<void> {
  const reports: ThreadReport[] = []
  for (const thread of threads) reports.push(await replayThread(thread, parts))
  port?.postMessage(reports)
}

async function load(url: string) {
  const definitions = definitionsIn((await import(url)) as Readonly<Record<string, unknown>>)
  if (definitions.length > 0) return definitions
  const mend = 'export what `defineApp` or `domain` of `defineDomain` returns'
  throw new Error(`${url} exports no application and no domain; ${mend}`)
}
