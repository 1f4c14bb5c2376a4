import { expect, test } from 'vitest'
import { execute, noPostgres, postgresServer } from './postgres-server.fixture.ts'

const server = postgresServer()

test.skipIf(noPostgres)('a temporary Postgres keeps its databases apart', async () => {
  const [one, other] = [await server.newDatabase(), await server.newDatabase()]
  await execute(one, 'CREATE TABLE t (n int)', 'INSERT INTO t VALUES (1)')
  expect(await execute(one, 'SELECT n FROM t')).toEqual([{ n: 1 }])
  await expect(execute(other, 'SELECT n FROM t')).rejects.toThrow('does not exist')
})
