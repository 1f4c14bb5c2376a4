import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../../test/folders.fixture.ts'
import { unsign } from '../../../test/durability/unsign.fixture.ts'
import { openLog } from '../open-log.ts'
import type { OpenLogOptions } from '../open-log.ts'
import { counted } from '../sqlite-folder.fixture.ts'
import { execute, noPostgres, postgresServer } from './postgres-server.fixture.ts'
import { HeadSigner, SAMPLE } from './signed-head.ts'

const server = postgresServer()
const ONE = 'one key of more than thirty-two bytes'
const OTHER = 'another key of more than thirty-two bytes'

/** A log without keys. */
async function unsignedLog(options: OpenLogOptions = {}): Promise<string> {
  const url = await server.newDatabase()
  const log = await openLog(url, options)
  for (const thread of ['t', 'forged']) await log.append(thread, counted(0, 3))
  await log.close()
  return url
}

test.skipIf(noPostgres)(
  'a log in Postgres without keys adopts one, and verify says from where the key vouches',
  async () => {
    const url = await unsignedLog()
    await execute(url, "UPDATE throughline.threads SET ts = ts + 1 WHERE name = 'forged'")
    const warnings: string[] = []
    const options = { anchorKeys: [ONE], onWarning: (warning: string) => warnings.push(warning) }
    // Servers that start together adopt it once.
    const logs = await Promise.all([1, 2, 3].map(() => openLog(url, options)))
    const [log, other] = logs
    await log?.append('t', counted(3, 5))
    await other?.append('t', counted(5, 6))
    await other?.append('new', counted(0, 1))
    const adopted = { seq: 2, ts: expect.any(Number) as number }
    for (const each of logs) {
      expect(await each.verify('t')).toMatchObject({ ok: true, head: 5, adopted, unanchored: 0 })
      expect(await each.verify('new')).not.toHaveProperty('adopted')
      const forged = await each.verify('forged')
      expect(forged).toMatchObject({ ok: true, unanchored: 3, unanchoredFrom: [0] })
      expect(forged).not.toHaveProperty('adopted')
    }
    await Promise.all(logs.map((each) => each.close()))
    expect(warnings).toEqual([expect.stringContaining('have adopted their first key')])
    for (const keys of [[], [OTHER]]) {
      const refusal = openLog(url, { anchorKeys: keys })
      await expect(refusal).rejects.toThrow('signed with none of the keys given')
    }
    // The moment is part of what the key has signed.
    await execute(
      url,
      "UPDATE throughline.threads SET sum = split_part(sum, ' ', 1) WHERE name = 't'",
    )
    const after = await openLog(url, options)
    expect(await after.verify('t')).toMatchObject({ unanchored: 6, unanchoredFrom: [0] })
    await after.close()
  },
)

test.skipIf(noPostgres)(
  'each server of a log that adopts a key takes its own heads file along, and no other log does',
  async () => {
    const files = ['one', 'other'].map((name) => join(newFolder(), name))
    const url = await server.newDatabase()
    const opened = (anchorKeys: readonly string[]) =>
      Promise.all(files.map((headsFile) => openLog(url, { headsFile, anchorKeys })))
    for (const keys of [[], [ONE], [ONE]]) {
      const logs = await opened(keys)
      for (const log of logs) await log.append('t', counted(0, 1))
      expect(await logs[0]?.verify('t')).toMatchObject({ ok: true, unanchored: 0 })
      await Promise.all(logs.map((log) => log.close()))
    }
    const [headsFile = ''] = files
    const signed = await server.newDatabase()
    await (await openLog(signed, { headsFile: `${headsFile}.2`, anchorKeys: [ONE] })).close()
    unsign(`${headsFile}.2`)
    const refusal = openLog(signed, { headsFile: `${headsFile}.2`, anchorKeys: [ONE] })
    await expect(refusal).rejects.toThrow('no key has signed it')
  },
)

test.skipIf(noPostgres)(
  '[L11] a database that lost its signatures is not adopted beside heads that a key has signed',
  async () => {
    const headsFile = join(newFolder(), 'heads')
    const url = await unsignedLog({ headsFile })
    copyFileSync(headsFile, `${headsFile}.unsigned`)
    const log = await openLog(url, { headsFile, anchorKeys: [ONE] })
    expect(await log.verify('t')).toMatchObject({ adopted: { seq: 2 } })
    const signer = new HeadSigner(log.epoch, [])
    await log.close()
    // What somebody without the key could write.
    await execute(
      url,
      `UPDATE throughline.meta SET value = '${signer.sign(SAMPLE)}' WHERE key LIKE 'signed:%'`,
    )
    const refusal = openLog(url, { headsFile, anchorKeys: [ONE] })
    await expect(refusal).rejects.toMatchObject({ code: 'configuration' })
    await expect(refusal).rejects.toThrow('no key has signed its heads, and the heads file')
    unsign(headsFile)
    const refused = openLog(url, { headsFile, anchorKeys: [ONE], unsignedHeads: 'refuse' })
    await expect(refused).rejects.toThrow('signed with none of the keys given')
  },
)
