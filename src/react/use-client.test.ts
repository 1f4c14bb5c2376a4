import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const FOLDER = import.meta.dirname

const modules = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.ts') && !/\.(test|test-d)\.ts$/.test(name))
  .map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }))

/** A framework with server components gives only such modules to the browser. */
test("every module that calls a hook begins with 'use client', and no other does", () => {
  const marked = modules.filter(({ text }) => text.startsWith("'use client'\n"))
  const calling = modules.filter(({ text }) => /\buse[A-Z]\w*(<.*>)?\(/.test(text))
  const names = (given: typeof modules) => given.map(({ name }) => name)
  expect(names(marked)).toEqual(names(calling))
  expect(names(marked)).toContain('use-thread.ts')
})

test('the door lists its exports, as a boundary to the browser needs it', () => {
  const door = modules.find(({ name }) => name === 'index.ts')
  expect(door?.text).not.toMatch(/export \*/)
})
