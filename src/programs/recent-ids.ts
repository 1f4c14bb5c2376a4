import { PROGRAM_IDS_MAX } from './limits.ts'

/** The newest ids, to notice one that comes again. */
export class RecentIds {
  readonly #ids = new Set<string>()
  readonly #max: number

  constructor(max = PROGRAM_IDS_MAX) {
    this.#max = max
  }

  has(id: string): boolean {
    return this.#ids.has(id)
  }

  /** False where the id is known. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false
    this.#ids.add(id)
    if (this.#ids.size > this.#max) {
      const [oldest] = this.#ids
      if (oldest !== undefined) this.#ids.delete(oldest)
    }
    return true
  }
}

/** The newest values by their names, each made when its name is first asked for. */
export class RecentValues<Value> {
  readonly #values = new Map<string, Value>()

  of(name: string, make: () => Value): Value {
    const known = this.#values.get(name)
    if (known !== undefined) return known
    const value = make()
    this.#values.set(name, value)
    const [oldest] = this.#values.keys()
    if (this.#values.size > PROGRAM_IDS_MAX && oldest !== undefined) this.#values.delete(oldest)
    return value
  }
}
