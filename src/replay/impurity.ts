/** Watches whether anything reads the clock or chance: a definition that does gives another answer each time. */
export interface ImpurityWatch {
  /** The function that was called since the last `read`. */
  read(): string | undefined
  /** Puts the functions back that were there before. */
  end(): void
}

/** Functions that were taken before it began are not seen. */
export function watchImpurity(): ImpurityWatch {
  let seen: string | undefined
  const { Date: RealDate } = globalThis
  const { now } = RealDate
  const { random } = Math
  const randomUUID = crypto.randomUUID.bind(crypto)
  const noting =
    <Given extends unknown[], Result>(name: string, work: (...given: Given) => Result) =>
    (...given: Given): Result => {
      seen ??= name
      return work(...given)
    }
  RealDate.now = noting('Date.now()', now)
  Math.random = noting('Math.random()', random)
  crypto.randomUUID = noting('crypto.randomUUID()', randomUUID)
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given: unknown[], self) => {
      if (given.length === 0) seen ??= 'new Date()'
      // What a constructor gives is an object.
      return Reflect.construct(target, given, self) as object
    },
  })
  return {
    read() {
      const read = seen
      seen = undefined
      return read
    },
    end() {
      globalThis.Date = RealDate
      RealDate.now = now
      Math.random = random
      crypto.randomUUID = randomUUID
    },
  }
}
