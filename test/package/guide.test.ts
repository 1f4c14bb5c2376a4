import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { inTier } from '../tier.fixture.ts'
import { readerFolder } from './reader-folder.fixture.ts'

/** Its samples are of the checkout. */
const OF_THE_CHECKOUT = 'broker'
const pages = readdirSync('docs/guide')
  .map((file) => file.replace(/\.md$/, ''))
  .filter((page) => page !== OF_THE_CHECKOUT && blocksOf(page, 'ts').length > 0)

const folder = readerFolder(
  '@types/node',
  '@types/react',
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/server',
)

/** The fenced blocks of one language on a page of the guide. */
function blocksOf(page: string, language: string): readonly string[] {
  const text = readFileSync(`docs/guide/${page}.md`, 'utf8')
  const fences = text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))
  return Array.from(fences, ([, block = '']) => block)
}

beforeAll(() => {
  for (const page of pages) {
    writeFileSync(join(folder, `${page}.ts`), blocksOf(page, 'ts').join('\n'))
    const components = blocksOf(page, 'tsx').join('\n')
    if (components !== '') writeFileSync(join(folder, `${page}.page.tsx`), components)
  }
})

/** Each page is run in a process of its own; every run compiles all of them and runs this one. */
const RUN = inTier({ quick: ['quick-start'], full: pages })

test.each(RUN)(
  'the samples of %s run in an empty folder with the installed package and print what the page shows',
  (page) => {
    const printed = execFileSync(process.execPath, [`${page}.ts`], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(printed).toBe(blocksOf(page, 'text').join(''))
  },
)

test('every sample of the guide compiles in a strict project of a reader', () => {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2024',
    module: 'nodenext',
    jsx: 'react-jsx',
    types: ['node'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  const tsc = resolve('node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
  expect(stdout).toBe('')
})
