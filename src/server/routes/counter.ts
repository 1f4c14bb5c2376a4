/** Sets of labels of one counter; what comes under another one counts as `other`. */
export const LABEL_SETS_MAX = 200
/** Characters of the value of a label. */
export const LABEL_CHARS_MAX = 100

const OTHER = 'other'

/** A number that only grows, for each set of labels, as Prometheus reads it. */
export class Counter<Label extends string = never> {
  readonly #name: string
  readonly #help: string
  readonly #labels: readonly Label[]
  readonly #sums = new Map<string, number>()

  constructor(name: string, help: string, labels: readonly Label[] = []) {
    this.#name = name
    this.#help = help
    this.#labels = labels
    // A counter without labels is there from the start.
    if (labels.length === 0) this.#sums.set('', 0)
  }

  add(by: number, labels: Readonly<Record<Label, string>>): void {
    const set = this.#setOf(labels)
    const hasRoom = this.#sums.has(set) || this.#sums.size < LABEL_SETS_MAX
    const counted = hasRoom ? set : this.#setOf(this.#other())
    this.#sums.set(counted, (this.#sums.get(counted) ?? 0) + by)
  }

  get lines(): readonly string[] {
    const samples = Array.from(this.#sums, ([set, sum]) => `${this.#name}${set} ${sum}`)
    return [...head(this.#name, this.#help, 'counter'), ...samples]
  }

  #other(): Readonly<Record<Label, string>> {
    // Built from the names that the type has.
    return Object.fromEntries(this.#labels.map((label) => [label, OTHER])) as Record<Label, string>
  }

  #setOf(labels: Readonly<Record<Label, string>>): string {
    if (this.#labels.length === 0) return ''
    const pairs = this.#labels.map((label) => `${label}="${escaped(labels[label])}"`)
    return `{${pairs.join(',')}}`
  }
}

/** A value as it is now. */
export function gauge(name: string, help: string, value: number): readonly string[] {
  return [...head(name, help, 'gauge'), `${name} ${value}`]
}

function head(name: string, help: string, type: 'counter' | 'gauge'): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
}

function escaped(value: string): string {
  return value
    .slice(0, LABEL_CHARS_MAX)
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
}
