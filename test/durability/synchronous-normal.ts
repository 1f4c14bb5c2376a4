/**
 * Loaded before a program, makes its logs sync as SQLite does with `synchronous=NORMAL`, once they have
 * read back that it is FULL.
 */
import { DatabaseSync } from 'node:sqlite'

const prepare = Reflect.get(DatabaseSync.prototype, 'prepare') as DatabaseSync['prepare']
DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql, ...options) {
  const statement = prepare.call(this, sql, ...options)
  if (sql === 'COMMIT') this.exec('PRAGMA synchronous = NORMAL')
  return statement
}
