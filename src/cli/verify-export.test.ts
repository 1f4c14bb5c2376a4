import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../test/folders.fixture.ts'
import type { LogRecord } from '../log/index.ts'
import { routes } from '../server/index.ts'
import { exportEnd, exportLine } from '../server/routes/export.ts'
import { counted, recordsOf } from '../storage/sqlite-folder.fixture.ts'
import { visit, visitsApp } from '../visits.fixture.ts'
import { open } from '../open.ts'
import { forgedExports } from './forged-exports.fixture.ts'
import { throughline } from './throughline.fixture.ts'
import { EXPORT_LINE_BYTES_MAX, verifyExport } from './verify-export.ts'
import { memoryLog } from '../../test/memory-log.fixture.ts'

const log = () => memoryLog({ now: () => 1_000 })

async function records(): Promise<readonly LogRecord[]> {
  const memory = log()
  await memory.append('case "ä"', [
    ...counted(0, 5),
    { type: 'said', data: { text: 'Grüße, 世界\u2028 \ud800', 9: [1e21, -0.5] } },
    { type: 'said', data: 'x'.repeat(200_000) },
  ])
  return recordsOf(memory, 'case "ä"')
}

const linesOf = (all: readonly LogRecord[]) => all.map((each) => exportLine('jsonl', each))
const whole = (lines: readonly string[]) => `${lines.join('')}${exportEnd('jsonl', lines.length)}`

function fileWith(text: string): string {
  const file = join(newFolder(), 'thread.jsonl')
  writeFileSync(file, text)
  return file
}

/** The command as a person runs it. */
const verified = (text: string, ...wanted: readonly string[]) =>
  throughline(['verify', fileWith(text), ...wanted])

/** The same without a process of its own. */
function judged(text: string) {
  const lines: string[] = []
  const code = verifyExport(fileWith(text), [], (line) => lines.push(line))
  return { code, said: lines.join('\n') }
}

test('a whole export is sound up to its last record, and says what it cannot show', async () => {
  const all = await records()
  const { code, stdout } = await verified(whole(linesOf(all)))
  expect(code).toBe(0)
  const [first, second, end] = stdout.split('\n')
  expect(first).toBe(`sound "case \\"ä\\"" up to 6 ${all.at(-1)?.hash}`)
  expect(second).toContain('not shown by an export: whether the thread goes on')
  expect(end).toBe('')
  expect(await verified(whole(linesOf(all)), 'case "ä"')).toMatchObject({ code: 0 })
  const other = await verified(whole(linesOf(all)), 'case')
  expect(other).toMatchObject({ code: 2 })
  expect(other.stdout).toContain('cannot tell: there is no thread "case"')
})

test('an export that was changed is not sound at the record that was', async () => {
  const lines = linesOf(await records())
  const changed = lines.map((line, at) => (at === 2 ? line.replace('"n":2', '"n":3') : line))
  const swapped = [...lines.slice(0, 3), lines[2] ?? '', ...lines.slice(3)]
  const faults = [
    [whole(changed), /^unsound "case .*" at 2: its hash is not the one/],
    [whole(swapped), /^unsound "case .*" at 3: missing; the next one there is 2/],
    [
      whole(lines).replace('"records":7', '"records":8'),
      /^unsound .* at 7: the export had 8 records/,
    ],
    [whole(lines.map((line) => line.replace('},"v":', '},"w":'))), /^unsound .* at 0: /],
  ] as const
  for (const [text, said] of faults) {
    expect(judged(text)).toEqual({ code: 1, said: expect.stringMatching(said) as string })
  }
  expect(await verified(whole(changed))).toMatchObject({ code: 1 })
})

test('of an export that is redacted, filtered, cut off or none there is no verdict, in plain words', async () => {
  const all = await records()
  const lines = linesOf(all)
  const redacted = all.map((each) =>
    each.type === 'said' ? { ...each, data: '[redacted]' } : each,
  )
  const faults = [
    [
      whole(linesOf(redacted)),
      'the record 5 is shown redacted: a redacted or filtered export cannot be verified',
    ],
    [
      whole(lines.toSpliced(2, 1)),
      'the record 2 is left out: a redacted or filtered export cannot be verified',
    ],
    [whole(lines.slice(1)), 'the record 0 is left out'],
    [lines.join(''), 'breaks off: its last line is not that of a whole export'],
    [whole(lines).slice(0, -9), 'is not JSON'],
    [whole(lines) + (lines[0] ?? ''), 'comes behind the last line'],
    [whole([]), 'holds no record'],
    ['', 'breaks off'],
    ['[1]\nnull\n', 'is not JSON'],
    ['x'.repeat(EXPORT_LINE_BYTES_MAX + 70_000), 'is longer than a record'],
  ] as const
  for (const [text, said] of faults) {
    expect(() => judged(text)).toThrow(said)
  }
  const { code, stdout, stderr } = await verified(whole(linesOf(redacted)))
  expect([code, stderr]).toEqual([2, ''])
  expect(stdout).toMatch(/^cannot tell: the record 5 is shown redacted/)
  const none = await throughline(['verify', join(newFolder(), 'none.jsonl')])
  expect(none).toMatchObject({ code: 2 })
  expect(none.stdout).toMatch(/^cannot tell: there is no file ".*none\.jsonl"\n$/)
})

test('[L4] an export of sealed records says what it vouches for, and finds what was changed in clear', async () => {
  const tl = await open({ store: 'memory:', apps: [visitsApp()] })
  await visit(tl, 't')
  const { fetch } = routes(tl, { authenticate: () => ({ role: 'operator', actor: 'kim' }) })
  const export_ = 'http://any.example/api/threads/t/export?format=jsonl'
  const text = await (await fetch(new Request(export_))).text()
  await tl.close()
  const sound = judged(text)
  expect(sound.code).toBe(0)
  expect(sound.said).toMatch(/not vouched for: the words that \d+ sealed records show/)
  const forged = text.replace('"ward":"west"', '"ward":"east"')
  expect(forged).not.toBe(text)
  expect(judged(forged)).toMatchObject({ code: 1 })
  expect(judged(forged).said).toContain('differs from what is stored in clear')
  for (const each of forgedExports(text)) expect(judged(each)).toMatchObject({ code: 1 })
})
