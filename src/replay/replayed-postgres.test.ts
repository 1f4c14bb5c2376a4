import { expect, test } from 'vitest'
import { open } from '../open.ts'
import { noPostgres, postgresServer } from '../storage/postgres/postgres-server.fixture.ts'
import { errandsApp } from './errands.fixture.ts'
import { replayed } from './index.ts'

const server = postgresServer()

test.skipIf(noPostgres)(
  'a Postgres store is replayed beside its server, sealed records too',
  async () => {
    const store = await server.newDatabase()
    const { app } = errandsApp({ erasable: true })
    const tl = await open({ store, apps: [app] })
    const home = tl.as({ source: 'ui', surface: 'home', actor: 'ann' })
    await home.propose('t', [{ type: 'wanted', data: { what: 'tea' } }])
    await tl.turn('t', { agent: 'buyer', input: 'Please buy it' }).result
    const head = await tl.log.head('t')
    expect(await replayed(store, app)).toMatchObject({ threads: 1, decided: 1 })
    expect(await tl.log.head('t')).toBe(head)
    await tl.erase('t', { by: 'kim', why: 'asked on 3 March' })
    await expect(replayed(store, app)).rejects.toThrow('its person was erased')
    await tl.close(0)
  },
)
