import { execFileSync } from 'node:child_process'
import { expect } from 'vitest'
import { open } from '../../src/open.ts'
import {
  execute,
  noPostgres,
  postgresServer,
} from '../../src/storage/postgres/postgres-server.fixture.ts'
import { visit, visitsApp } from '../../src/visits.fixture.ts'
import { fullTest } from '../tier.fixture.ts'

const server = postgresServer()

/** The files of a folder that hold one of the texts, in any case. */
function filesWith(texts: readonly string[], folder: string): readonly string[] {
  try {
    const found = execFileSync('grep', ['-rlaiE', texts.join('|'), folder], { encoding: 'utf8' })
    return found.trim().split('\n')
  } catch (error) {
    // It found none.
    if ((error as { readonly status?: number }).status === 1) return []
    throw error
  }
}

fullTest.skipIf(noPostgres)(
  '[L4] no file of Postgres holds a planted value or the key, once what the guide says was done',
  async () => {
    const url = await server.newDatabase()
    const tl = await open({ store: url, apps: [visitsApp()] })
    await visit(tl, 't')
    await tl.threads({ where: { ward: 'west' } })
    const [key] = await execute(url, `SELECT bytes FROM throughline_keys.keys WHERE subject = 't'`)
    const [place] = await execute(url, 'CHECKPOINT', 'SHOW data_directory')
    const files = () =>
      filesWith(['planted', String(key?.['bytes'])], String(place?.['data_directory']))
    expect(files().length).toBeGreaterThan(1)
    await tl.erase('t', { by: 'operator-7', why: 'asked by letter' })
    await execute(url, 'VACUUM FULL throughline.shelves, throughline_keys.keys')
    await execute(url, 'ALTER SYSTEM SET wal_recycle = off', 'SELECT pg_reload_conf()')
    await execute(url, 'SELECT pg_switch_wal()', 'CHECKPOINT')
    expect(files()).toEqual([])
    await tl.close()
  },
)
