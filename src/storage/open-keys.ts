import { existsSync } from 'node:fs'
import { LogError, newSubjectKey } from '../log/index.ts'
import type { Keys } from '../log/index.ts'
import { randomBytes } from '../platform/index.ts'
import type { OpenLogOptions } from './open-log.ts'
import { PostgresKeys } from './postgres/postgres-keys.ts'
import { isPostgresUrl } from './postgres/postgres-url.ts'
import { KeyFile } from './sqlite/key-file.ts'
import { sqlitePath } from './sqlite/sqlite-url.ts'

const newKey = () => newSubjectKey(randomBytes)

/**
 * Opens the store of keys at `sqlite:PATH` or `postgres://…`, which is made where there is none.
 *
 * @throws {@link LogError} `configuration`, `corrupt`, `storage_full`, `unavailable`, `io`
 */
export async function openKeys(
  url: string,
  { onFatal = ignore }: Pick<OpenLogOptions, 'onFatal'> = {},
): Promise<Keys> {
  const path = sqlitePath(url)
  if (path !== undefined) return new KeyFile(path, { newKey, onFatal })
  if (isPostgresUrl(url)) return PostgresKeys.open(url, newKey)
  throw new LogError(
    'configuration',
    `Cannot open the keys "${url}": their store is unknown; use "sqlite:PATH" or "postgres://…"`,
  )
}

/** Where the keys of a log lie by default: beside its file, or in its database. */
export function keysBeside(store: string): string {
  const path = sqlitePath(store)
  return path === undefined ? store : `sqlite:${path}.keys`
}

/** Whether keys lie in the default place of a file's log. */
export function hasKeysBeside(store: string): boolean {
  const path = sqlitePath(store)
  return path !== undefined && existsSync(`${path}.keys`)
}

/** What is asked of the keys afterwards is refused with the failure. */
function ignore(): void {}
