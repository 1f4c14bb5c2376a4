import { dirname, join } from 'node:path'
import { open } from 'throughline'
import { expect, onTestFinished } from 'vitest'
import { newFolder } from '../../../test/folders.fixture.ts'
import { defineTeam } from '../definition.ts'
import { TEAM_THREAD } from '../events/index.ts'
import { DocumentStore } from './index.ts'
import type { Document } from './index.ts'

export const SESSION = 'team-2026-11-23-1'
export const LYRA = { name: 'Lyra', gridPosition: 0 }
export const said = (text: string) => ({ type: 'text', text })

export type Said = readonly ['process' | 'ui' | 'system', string, object]

export const START: Said = [
  'system',
  'session_start',
  { sessionId: SESSION, pid: 1, model: 'm', demoMode: false },
]
/** The documents, and the session, after a thread of these events. */
export async function documentsAfter(file: string, ...said: readonly Said[]) {
  const app = defineTeam()
  const throughline = await open({ store: 'memory:', apps: [app] })
  const { log } = throughline
  const faults: unknown[] = []
  const onFault = (error: unknown) => void faults.push(error)
  const store = await DocumentStore.open({ log, thread: TEAM_THREAD, file, onFault })
  for (const [source, type, data] of said) {
    await throughline.app(app).propose(TEAM_THREAD, [{ type, data }], { as: { source } })
  }
  const documents = await wholeOf(store)
  const { session } = store
  await store.close()
  await throughline.close()
  expect(faults).toEqual([])
  return { documents, session }
}

export async function wholeOf(store: DocumentStore): Promise<readonly Document[]> {
  const documents: Document[] = []
  for await (const document of store.whole(await store.heads())) documents.push(document)
  return documents
}

/** A file that is not there yet. */
export function file(): string {
  return join(newFolder(), 'documents.jsonl')
}

/** Stores over a log that outlives them. */
export async function durableTeam(
  kept = file(),
  url: 'memory:' | `sqlite:${string}` = `sqlite:${dirname(kept)}/throughline.db`,
) {
  const app = defineTeam()
  const throughline = await open({ store: url, apps: [app] })
  onTestFinished(() => throughline.close())
  const { log } = throughline
  const faults: unknown[] = []
  const onFault = (error: unknown) => void faults.push(error)
  const say = async (...said: readonly Said[]) => {
    for (const [source, type, data] of said) {
      await throughline.app(app).propose(TEAM_THREAD, [{ type, data }], { as: { source } })
    }
  }
  const openStore = (path = kept) =>
    DocumentStore.open({ log, thread: TEAM_THREAD, file: path, onFault })
  return { kept, faults, say, openStore }
}

export const hello = (text: string): Said => [
  'ui',
  'user_message',
  { text, speakerName: 'Ada', targetAgent: null },
]
