import { setTimeout } from 'node:timers/promises'
import { pino } from 'pino'
import { defineBroker } from '../../apps/broker/definition.ts'
import { open } from '../../src/public/index.ts'
import { scriptedModel } from '../../src/models/index.ts'
import { shelfNamed, shelvesNamed } from '../../src/log/index.ts'
import type { EventLog, Shelves } from '../../src/log/index.ts'
import { logWith } from '../../src/log/log-with.fixture.ts'
import { serve } from '../../src/server/index.ts'
import type { RunningServer } from '../../src/server/index.ts'
import { sha256 } from '../../src/storage/index.ts'
import { officeApp } from './office.fixture.ts'
import { askedPanel, pointed } from './two-turns.fixture.ts'
import type { Scene } from './two-turns.fixture.ts'

export interface RecoveryScene extends Scene {
  readonly shelves: Shelves
}

/** Starts a server over what a crash left of the two turns. */
export async function serveAgain(scene: RecoveryScene): Promise<RunningServer> {
  // The wrapper's functions are own properties, so a copy of it works.
  const log = acknowledging(pointed(scene), scene.outside)
  const model = scriptedModel(() => 'Hello.')
  const broker = defineBroker({ model, now: Date.now, sha256, panel: askedPanel(scene) })
  const apps = [broker.app, officeApp()]
  const throughline = await open({ store: { log, shelves: pointedShelves(scene) }, apps })
  return serve(throughline, { port: 0, version: 'test', logger: pino({ level: 'silent' }) })
}

/** Starts a server, waits until it has finished open work, and stops it. */
export async function recoverOnce(scene: RecoveryScene): Promise<void> {
  const server = await serveAgain(scene)
  await effectsEnded(scene.log)
  await server.close()
}

/** Resolves once the lenders have answered what they were asked before the crash, if anything. */
export async function effectsEnded(log: EventLog): Promise<void> {
  for (;;) {
    const types = new Set<string>()
    for await (const records of log.read('case')) for (const { type } of records) types.add(type)
    if (types.has('waterfall_recorded') || !types.has('submit_application')) return
    await setTimeout(5)
  }
}

/** Shelves that report each use of the cursors. */
function pointedShelves({ shelves, at }: RecoveryScene): Shelves {
  const ofCursors = (shelf: string): boolean => shelf === shelfNamed('cursors')
  return {
    async get(place) {
      if (ofCursors(place.shelf)) await at('before the position is loaded')
      return shelves.get(place)
    },
    async list(shelf, listing) {
      if (shelf.startsWith(shelvesNamed('open'))) await at('before the list is loaded')
      return shelves.list(shelf, listing)
    },
    async update(place, decide) {
      if (ofCursors(place.shelf)) await at('before the list is saved')
      const isDone = await shelves.update(place, decide)
      if (ofCursors(place.shelf)) await at('after the list was saved')
      return isDone
    },
    count: (query) => shelves.count(query),
    change: (change) => shelves.change(change),
    close: () => shelves.close(),
  }
}

/** A log that reports each acknowledged record. */
export function acknowledging(log: EventLog, tell: (line: string) => void): EventLog {
  return logWith(log, {
    async append(...given) {
      const records = await log.append(...given)
      for (const { thread, seq, id } of records) tell(`held ${seq} ${id} ${thread}`)
      return records
    },
  })
}
