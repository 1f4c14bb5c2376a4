/** Tells the stores of a page which of its requests the server has accepted: they may have begun a thread. */
class AcceptedSends {
  readonly #listeners = new Set<(url: string) => void>()

  readonly tell = (url: string): void => {
    for (const listener of this.#listeners) listener(url)
  }

  readonly subscribe = (listener: (url: string) => void): (() => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }
}

/** The requests of this page: its hooks share no provider that could hold them. */
export const SENDS_OF_PAGE = new AcceptedSends()
