/** A map of at most `max` entries: beyond that it drops the entry that was set the longest ago. */
export class NewestMap<Value> extends Map<string, Value> {
  readonly #max: number

  constructor(max: number) {
    super()
    this.#max = max
  }

  override set(key: string, value: Value): this {
    this.delete(key)
    super.set(key, value)
    if (this.size > this.#max) {
      const [oldest = ''] = this.keys()
      this.delete(oldest)
    }
    return this
  }
}
