import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'

const { consumer } = inject('packed')
const page = readFileSync(join(consumer, 'node_modules/throughline/README.md'), 'utf8')

/** The fenced blocks of one language on the page. */
function blocksOf(language: string): readonly string[] {
  const fences = page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))
  return Array.from(fences, ([, text = '']) => text)
}

/** Returns a program's output in a project that has installed the package. */
function printedBy(program: string): string {
  const flags = ['--input-type=module-typescript', '--eval', program]
  const cwd = mkdtempSync(join(consumer, 'project-'))
  return execFileSync(process.execPath, flags, { cwd, encoding: 'utf8' })
}

test('the programs of the README run with the installed package and print the documented output', () => {
  const [order = '', desk = '', ...more] = blocksOf('ts')
  expect(more).toEqual([])
  expect(printedBy(order)).toBe(blocksOf('text').join(''))
  expect(printedBy(desk)).toMatch(
    /^ desk prompt_started\n[^]*^ {3}archive turn_end\n[^]*^ desk turn_end\n/m,
  )
})
