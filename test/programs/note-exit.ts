/** Preloaded into a server: writes its process id, and how it ended, into the file that is named. */
import { appendFileSync } from 'node:fs'

const { EXIT_NOTE: note = '' } = process.env

// npm is a Node program too, and gets the same preload.
if (process.argv[1]?.endsWith('apps/main.ts')) {
  appendFileSync(note, `${process.pid} `)
  process.once('exit', (code) => appendFileSync(note, `${code}`))
}
