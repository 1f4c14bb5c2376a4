/**
 * Opens an erasable application on a file, erases a thread or keeps it, and writes what is in the memory of the
 * process.
 * The values that it plants come from a file, so that only what the store made of them can be left.
 * Usage: `node --expose-gc erase-and-look.ts PATH VALUES SNAPSHOT erase|keep`
 */
import { readFileSync } from 'node:fs'
import { writeHeapSnapshot } from 'node:v8'
import { setTimeout } from 'node:timers/promises'
import { open } from '../../src/open.ts'
import { visit, visitsApp } from '../../src/visits.fixture.ts'

const [, , path = '', values = '', snapshot = '', what = ''] = process.argv
const tl = await open({ store: `sqlite:${path}`, apps: [visitsApp()] })
await visit(tl, 't', readFileSync(values, 'utf8').split(' '))
await tl.verify('t')
const view = tl.app('visits').view('auditor')
await view.state('t', 5)
if (what === 'erase') await tl.erase('t', { by: 'operator-7', why: 'asked by letter' })
// What a promise or a timer still holds ends by then.
await setTimeout(1_000)
globalThis.gc?.()
writeHeapSnapshot(snapshot)
await tl.close()
