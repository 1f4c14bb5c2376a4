import { expect, test } from 'vitest'
import { Progress } from './progress.ts'

function shownOn(isTTY: boolean): string {
  let text = ''
  const progress = new Progress({
    isTTY,
    write: (given: string | Uint8Array) => {
      text += given.toString()
      return true
    },
  })
  progress.show(0.5, '5 of 10')
  progress.show(0.6, '6 of 10')
  progress.show(1, '10 of 10')
  progress.end()
  return text
}

test('a terminal shows a bar, not more often than a person reads, and its end; it is taken away again', () => {
  const shown = shownOn(true)
  expect(shown).toContain(`${'█'.repeat(15)}${'░'.repeat(15)} 50 %  5 of 10`)
  expect(shown).not.toContain('6 of 10')
  expect(shown).toContain('100 %  10 of 10')
  expect(shown.endsWith('\u001b[2K')).toBe(true)
})

test('what is no terminal, such as a file of CI, shows no bar', () => {
  expect(shownOn(false)).toBe('')
})
