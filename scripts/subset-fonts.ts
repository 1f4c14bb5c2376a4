import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import subsetFont from 'subset-font'

export const FONTS_FOLDER = 'apps/kit/fonts'

const FONTSOURCE = '@fontsource-variable/figtree'

/** OpenType features that HarfBuzz keeps: kerning, tabular figures, marks. */
const FEATURES = ['kern', 'liga', 'tnum', 'pnum', 'lnum', 'ccmp', 'locl', 'mark', 'mkmk']

const SUBSETS = {
  latin:
    between(0x20, 0x7e) +
    between(0xa0, 0xff) +
    'ıŒœˆ˚˜' +
    between(0x2010, 0x2015) +
    '‘’‚“”„†•…‰′″‹›€™−',
  'latin-ext': between(0x100, 0x17f),
}

export type FontSubset = keyof typeof SUBSETS

export const FONT_SUBSETS: readonly FontSubset[] = ['latin', 'latin-ext']

/** Returns Figtree in the weights 400 to 700 with the characters of one subset, as WOFF2. */
export async function subsetFigtree(subset: FontSubset): Promise<Buffer> {
  const font = await readFile(inFontsource(`files/figtree-${subset}-wght-normal.woff2`))
  return subsetFont(font, SUBSETS[subset], {
    targetFormat: 'woff2',
    variationAxes: { wght: { min: 400, max: 700 } },
    keepFeatures: FEATURES,
    noHinting: true,
  })
}

async function writeFonts(): Promise<void> {
  for (const subset of FONT_SUBSETS) {
    await writeFile(join(FONTS_FOLDER, `figtree-${subset}.woff2`), await subsetFigtree(subset))
  }
  await copyFile(inFontsource('LICENSE'), join(FONTS_FOLDER, 'OFL.txt'))
}

function inFontsource(file: string): string {
  return createRequire(import.meta.url).resolve(`${FONTSOURCE}/${file}`)
}

function between(first: number, last: number): string {
  const length = last - first + 1
  return String.fromCodePoint(...Array.from({ length }, (_, index) => first + index))
}

if (import.meta.main) await writeFonts()
