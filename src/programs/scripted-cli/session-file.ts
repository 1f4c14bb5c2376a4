import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Which prompts a session has answered. It outlives the process, however that ends. */
export class SessionFile {
  readonly #path: string
  readonly #answered = new Set<string>()

  private constructor(path: string) {
    this.#path = path
    for (const line of readFileSync(path, 'utf8').split('\n')) if (line) this.#answered.add(line)
  }

  /** Opens a session; undefined where it should exist and does not, or the other way round. */
  static open(folder: string, id: string, isResumed: boolean): SessionFile | undefined {
    const path = join(folder, `${id}.txt`)
    if (existsSync(path) !== isResumed) return undefined
    if (!isResumed) {
      mkdirSync(folder, { recursive: true })
      appendFileSync(path, '')
    }
    return new SessionFile(path)
  }

  has(prompt: string): boolean {
    return this.#answered.has(prompt)
  }

  /** A whole line in one write: a process that is killed leaves no half of it. */
  answer(prompts: readonly string[]): void {
    for (const prompt of prompts) this.#answered.add(prompt)
    appendFileSync(this.#path, prompts.map((prompt) => `${prompt}\n`).join(''))
  }
}
