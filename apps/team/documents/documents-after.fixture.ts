import { join } from 'node:path'
import { open } from 'throughline'
import { expect } from 'vitest'
import { newFolder } from '../../../test/folders.fixture.ts'
import { defineTeam } from '../definition.ts'
import { TEAM_THREAD } from '../events/index.ts'
import { DocumentStore } from './index.ts'

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
  const documents = await store.all()
  const { session } = store
  await store.close()
  await throughline.close()
  expect(faults).toEqual([])
  return { documents, session }
}

/** A file that is not there yet. */
export function file(): string {
  return join(newFolder(), 'documents.jsonl')
}
