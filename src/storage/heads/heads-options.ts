export interface HeadsOptions {
  /** Sign the heads: the first signs, all are accepted. Without any they carry a checksum only. */
  readonly anchorKeys?: readonly string[]
  /** Where the heads are kept; beside the database by default. */
  readonly headsFile?: string
}
