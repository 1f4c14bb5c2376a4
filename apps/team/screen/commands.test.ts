import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseCommands } from './commands.ts'

test('commands are read line by line, and other lines are left out', () => {
  const text = '@Lyra COL 3\nRECT 0 0 99999 20\nhello\nRECT 1 2\nBTN ok 1 2 Go on\nFACE on happy'
  expect(parseCommands(text)).toEqual([
    { name: 'COL', numbers: [3], text: '' },
    { name: 'RECT', numbers: [0, 0, 10_000, 20], text: '' },
    { name: 'BTN', numbers: [], text: 'ok 1 2 Go on' },
    { name: 'FACE', numbers: [], text: 'on happy' },
  ])
})

test('no text makes it throw', () => {
  fc.assert(fc.property(fc.string(), (text) => void parseCommands(text)))
})
