import { glob, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

/** Properties and values that name a physical side, which is wrong in right-to-left languages. */
const PHYSICAL =
  /(?:^|[\s;{])(?:left|right|(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)[\w-]*|border-(?:top|bottom)-(?:left|right)-radius)\s*:|(?:text-align|float|clear)\s*:\s*(?:left|right)\b/g

/** Four values of which the second and the fourth, right and left, differ. */
const SIDED = /(?:margin|padding|inset|border-width)\s*:\s*(\S+) (\S+) (\S+) (\S+);/g

const isSided = ([, , right, , left]: RegExpExecArray) => right !== left

test('[surfaces 18] the styles of the broker’s pages name no side of the screen', async () => {
  const found: string[] = []
  let files = 0
  for await (const file of glob('apps/{kit,broker}/**/*.css')) {
    const css = (await readFile(file, 'utf8')).replaceAll(/\/\*[\s\S]*?\*\//g, '')
    const sided = [...css.matchAll(SIDED)].filter(isSided)
    found.push(...[...css.matchAll(PHYSICAL), ...sided].map(([each]) => `${file}: ${each.trim()}`))
    files++
  }
  expect(files).toBeGreaterThan(10)
  expect(found).toEqual([])
})

test('a tap leaves no hover style behind: each is asked for only where the pointer can hover', async () => {
  const found: string[] = []
  for await (const file of glob('apps/{kit,broker}/**/*.css')) {
    const css = await readFile(file, 'utf8')
    const outside = css.replaceAll(/@media \(hover: hover\) \{(?:[^{}]*\{[^{}]*\})*\s*\}/g, '')
    if (outside.includes(':hover')) found.push(file)
  }
  expect(found).toEqual([])
})
