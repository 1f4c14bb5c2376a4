/** Texts that a store keeps beside its records, by their names, as lasting as the records. */
export interface Notes {
  read(name: string): Promise<string | undefined>
  /** Writes `after` if the text is still `before`; returns false, and changes nothing, if it is not. */
  replace(name: string, change: NoteChange): Promise<boolean>
}

export interface NoteChange {
  /** `undefined` where there is no text yet. */
  readonly before: string | undefined
  readonly after: string
}
