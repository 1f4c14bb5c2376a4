import { LogError } from '../../src/log/index.ts'
import { openLog } from 'throughline/log'
import type { EventLog } from 'throughline/log'
import { expect, onTestFinished, test } from 'vitest'
import { JOURNEY } from '../../apps/broker/case/journey.fixture.ts'
import { freshPath } from '../../src/storage/sqlite-folder.fixture.ts'
import { newCase, post } from '../api/case.fixture.ts'
import { serveApi } from '../api/served-api.fixture.ts'
import { GatedCase } from './gated-case.fixture.ts'
import { memoryLog } from '../memory-log.fixture.ts'

const HEADS = 5

/** One way to write to a thread with an expected version. */
interface Door {
  readonly head: () => Promise<number>
  readonly write: (expectedVersion: number) => Promise<unknown>
}

function logDoor(log: EventLog): Door {
  onTestFinished(() => log.close())
  return {
    head: () => log.head('t'),
    write: (expectedVersion) => log.append('t', [{ type: 'n', data: 0 }], { expectedVersion }),
  }
}

async function gateDoor(): Promise<Door> {
  const gated = new GatedCase()
  await gated.play([JOURNEY.create])
  return {
    head: () => gated.log.head(gated.thread),
    write: (expectedVersion) => gated.commit(JOURNEY.project, { expectedVersion }),
  }
}

async function httpDoor(): Promise<Door> {
  const api = await serveApi()
  onTestFinished(() => api.close())
  const { sessionId, tokens } = await newCase(api)
  const events = [{ type: 'record_email_preference', data: { wantsEmailCopy: false } }]
  return {
    head: () => api.log.head(sessionId),
    async write(expectedVersion) {
      const body = { events, expectedVersion }
      const target = `/api/threads/${sessionId}/events`
      const { status } = await post(api, target, { body, token: tokens.customer })
      if (status === 409) throw new LogError('version_conflict', 'the server answered 409')
      expect(status).toBe(200)
    },
  }
}

test.for<[string, () => Door | Promise<Door>]>([
  ['the memory log', () => logDoor(memoryLog())],
  ['the SQLite log', async () => logDoor(await openLog(`sqlite:${freshPath()}`))],
  ['the gate', gateDoor],
  ['the server', httpDoor],
])(
  '[S4] %s refuses every expected version but the head, 0 included',
  async ([name, open], { annotate }) => {
    const door = await open()
    let stale = 0
    for (let round = 0; round < HEADS; round++) {
      const head = await door.head()
      for (let version = -1; version <= head + 1; version++) {
        if (version === head) continue
        await expect(door.write(version), `${version} at head ${head}`).rejects.toMatchObject({
          code: 'version_conflict',
        })
        stale++
      }
      expect(await door.head()).toBe(head)
      await door.write(head)
    }
    expect(stale).toBeGreaterThan(HEADS)
    await annotate(`${name}: 0 of ${stale} stale versions accepted`, 'promise')
  },
)
