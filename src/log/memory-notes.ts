import type { NoteChange, Notes } from './notes.ts'

/** Notes that last as long as their process. */
export class MemoryNotes implements Notes {
  readonly #texts = new Map<string, string>()

  async read(name: string): Promise<string | undefined> {
    return this.#texts.get(name)
  }

  async replace(name: string, { before, after }: NoteChange): Promise<boolean> {
    if (this.#texts.get(name) !== before) return false
    this.#texts.set(name, after)
    return true
  }
}
