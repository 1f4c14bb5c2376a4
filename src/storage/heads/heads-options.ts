export interface HeadsOptions {
  /** Sign the heads: the first signs, all are accepted. Without any they carry a checksum only. */
  readonly anchorKeys?: readonly string[]
  /** The path of the heads file; by default beside a SQLite database, and none for Postgres. */
  readonly headsFile?: string
}
