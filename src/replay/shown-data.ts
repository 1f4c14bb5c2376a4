import { diff } from '../domain/index.ts'
import type { Domain, Refusal } from '../domain/index.ts'
import { redactAt } from '../json/index.ts'
import type { Json } from '../json/index.ts'

/** Operations of one difference between states that are shown. */
export const OPERATIONS_SHOWN_MAX = 12

/** What a report shows: it may be read by more people than the threads, in a log of CI by everybody. */
export class ShownData {
  readonly #domain: Domain<unknown>

  constructor(domain: Domain<unknown>) {
    this.#domain = domain
  }

  data(type: string, data: Json): Json {
    return redactAt(data, this.#personalOf(type))
  }

  /** The detail of a refusal may quote what is personal. */
  reason(type: string, { refused, detail }: Refusal): string {
    return this.#personalOf(type).length > 0 ? refused : `${refused}: ${detail}`
  }

  operations(was: Json, now: Json): Json {
    const hasPersonal = [...this.#domain.events.keys()].some(
      (type) => this.#personalOf(type).length > 0,
    )
    const operations = diff(was, now).slice(0, OPERATIONS_SHOWN_MAX)
    // Operations are JSON.
    return operations.map(({ op, path, ...value }) =>
      hasPersonal ? { op, path } : { op, path, ...value },
    ) as unknown as Json
  }

  #personalOf(type: string): readonly string[] {
    return this.#domain.events.get(type)?.personal ?? []
  }
}
