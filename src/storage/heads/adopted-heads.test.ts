import { copyFileSync, readFileSync, renameSync } from 'node:fs'
import { expect, test } from 'vitest'
import { forge } from '../../../test/durability/forge.fixture.ts'
import { unsign } from '../../../test/durability/unsign.fixture.ts'
import { openLog } from '../open-log.ts'
import type { OpenLogOptions } from '../open-log.ts'
import { counted, freshPath, tamper } from '../sqlite-folder.fixture.ts'
import { acceptHeads } from '../accept-heads.ts'

const ONE = 'one key of more than thirty-two bytes'
const OTHER = 'another key of more than thirty-two bytes'

const open = (path: string, options: OpenLogOptions = {}) => openLog(`sqlite:${path}`, options)
const openWith = (path: string, ...anchorKeys: readonly string[]) => open(path, { anchorKeys })

/** A log without keys, with two threads of three records each. */
async function unsignedLog(): Promise<string> {
  const path = freshPath()
  const log = await open(path)
  for (const thread of ['t', 'u']) await log.append(thread, counted(0, 3))
  await log.close()
  return path
}

test('a log without keys adopts one, warns once, and verify says from where the key vouches', async () => {
  const path = await unsignedLog()
  const warnings: string[] = []
  const options = { anchorKeys: [ONE], onWarning: (warning: string) => warnings.push(warning) }
  const since = Date.now()
  const log = await open(path, options)
  await log.append('t', counted(3, 5))
  await log.append('new', counted(0, 1))
  const { adopted, ...verdict } = await log.verify('t')
  expect(verdict).toMatchObject({ ok: true, head: 4, anchored: { seq: 4 }, unanchored: 0 })
  expect(adopted?.seq).toBe(2)
  expect(adopted?.ts).toBeGreaterThanOrEqual(since)
  expect(await log.verify('u')).toMatchObject({ adopted: { seq: 2 }, anchored: { seq: 2 } })
  expect(await log.verify('new')).not.toHaveProperty('adopted')
  await log.close()
  expect(warnings).toEqual([expect.stringContaining('have adopted their first key')])
  // The moment stays as it was, also under a key that comes later.
  for (const keys of [[ONE], [OTHER, ONE], [OTHER]]) {
    const again = await open(path, { ...options, anchorKeys: keys })
    expect(await again.verify('t')).toMatchObject({ adopted, unanchored: 0 })
    await again.close()
  }
  expect(warnings).toHaveLength(1)
})

test('a log that has adopted a key is refused without it, as one that always had it', async () => {
  const path = await unsignedLog()
  await (await openWith(path, ONE)).close()
  for (const keys of [[], [OTHER]]) {
    await expect(openWith(path, ...keys)).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('signed with none of the keys given') as string,
    })
  }
})

test('adopting a key makes no damage sound, and no record anchored that had no head', async () => {
  const path = await unsignedLog()
  tamper(path, 'DELETE FROM records WHERE thread = 1 AND seq = 2')
  forge(path, 'u', 2)
  const log = await openWith(path, ONE)
  expect(await log.verify('t')).toMatchObject({ ok: false, firstBadSeq: 2, adopted: { seq: 2 } })
  await log.append('u', counted(5, 6))
  const verdict = { ok: true, adopted: { seq: 2 }, unanchored: 2, unanchoredFrom: [3] }
  expect(await log.verify('u')).toMatchObject(verdict)
  await log.close()
})

test('the heads of a log that a key has signed are not adopted again', async () => {
  const path = await unsignedLog()
  await (await openWith(path, ONE)).close()
  unsign(`${path}.heads`)
  const before = readFileSync(`${path}.heads`)
  await expect(openWith(path, ONE)).rejects.toMatchObject({
    code: 'configuration',
    message: expect.stringMatching(
      /\.heads": no key has signed it, and its store adopts none; .*restore/,
    ) as string,
  })
  expect(readFileSync(`${path}.heads`)).toEqual(before)
  acceptHeads(path, { anchorKeys: [ONE] })
  const log = await openWith(path, ONE)
  expect(await log.verify('t')).toMatchObject({ ok: true, unanchored: 3, unanchoredFrom: [0] })
  await log.close()
})

test('heads that a running log finds replaced by unsigned ones are not adopted', async () => {
  const path = await unsignedLog()
  const log = await openWith(path, ONE)
  copyFileSync(`${path}.heads`, `${path}.theirs`)
  unsign(`${path}.theirs`)
  renameSync(`${path}.theirs`, `${path}.heads`)
  await expect(log.verify('t')).rejects.toThrow('no key has signed it')
  await log.close()
})

test('a log that is told to refuse unsigned heads stays as it is', async () => {
  const path = await unsignedLog()
  const before = readFileSync(`${path}.heads`)
  const refusal = open(path, { anchorKeys: [ONE], unsignedHeads: 'refuse' })
  await expect(refusal).rejects.toMatchObject({ code: 'configuration' })
  expect(readFileSync(`${path}.heads`)).toEqual(before)
  await (await open(path)).close()
})

test('an empty key, with which anybody could sign, is refused', async () => {
  const path = await unsignedLog()
  for (const keys of [[''], [ONE, '']]) {
    const refusal = openWith(path, ...keys)
    await expect(refusal).rejects.toMatchObject({ code: 'configuration' })
    await expect(refusal).rejects.toThrow('an anchor key is empty')
    expect(() => acceptHeads(path, { anchorKeys: keys })).toThrow('an anchor key is empty')
  }
})
