import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FONTS_FOLDER, FONT_SUBSETS, subsetFigtree } from './subset-fonts.ts'

/** What every page loads before its text has its final shape. */
const LATIN_BYTES_MAX = 18_000

test.each(FONT_SUBSETS)('the font file %s is what npm run fonts writes', async (subset) => {
  const kept = await readFile(join(FONTS_FOLDER, `figtree-${subset}.woff2`))
  expect(kept.equals(await subsetFigtree(subset))).toBe(true)
  expect(kept.length).toBeLessThan(LATIN_BYTES_MAX)
})

test('the licence of the font is in its folder', async () => {
  expect(await readFile(join(FONTS_FOLDER, 'OFL.txt'), 'utf8')).toContain('SIL OPEN FONT LICENSE')
})
