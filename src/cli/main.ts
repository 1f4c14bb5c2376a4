#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { LogError } from '../log/index.ts'
import { UnknownKeyError } from '../storage/index.ts'
import { copyStore } from './copy.ts'

const USAGE = `Usage: throughline copy FROM TO

Copies a log into another store, hashes unchanged, and verifies the copy. FROM and TO are
sqlite:PATH or postgres://user@host/database. Stop the servers first. A copy that was cut off goes on.
The heads of the copy are signed with SECRET, or with the secret that a server has made beside FROM.`

const [, , command = '', from, to, ...rest] = process.argv
if (command !== 'copy' || from === undefined || to === undefined || rest.length > 0) {
  const isAsked = command === '--help' || command === 'help'
  if (isAsked) console.log(USAGE)
  else console.error(USAGE)
  process.exitCode = isAsked ? 0 : 2
} else {
  try {
    const print = (line: string): void => console.log(line)
    const isWhole = await copyStore({ from, to, anchorKeys: secretsFor(from), print })
    process.exitCode = isWhole ? 0 : 1
  } catch (error) {
    if (!(error instanceof LogError || error instanceof UnknownKeyError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}

/** The first one signs, all of them are accepted; none where no server has made one. */
function secretsFor(store: string): readonly string[] {
  const given = process.env['SECRET'] ?? secretBeside(store)
  return given === undefined ? [] : given.split(',').map((secret) => secret.trim())
}

function secretBeside(store: string): string | undefined {
  const file = join(dirname(store.replace(/^sqlite:/, '')), 'secret')
  return store.startsWith('sqlite:') && existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
