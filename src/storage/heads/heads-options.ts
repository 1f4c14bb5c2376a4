export interface HeadsOptions {
  /** Sign the heads: the first signs, all are accepted. Without any they carry a checksum only. */
  readonly anchorKeys?: readonly string[]
  /** The path of the heads file; by default beside the database. */
  readonly headsFile?: string
}
