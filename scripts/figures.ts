import { readFileSync, writeFileSync } from 'node:fs'

const FIGURES_FILE = 'docs/promises.json'

/** What one test file measured of one promise. */
export interface Figure {
  readonly id: string
  readonly file: string
  readonly figure: string
  /** The name of the run: its day and commit, `+` for uncommitted changes. */
  readonly run: string
}

/** The computer that a run was measured on. */
export interface Machine {
  readonly run: string
  readonly machine: string
}

export interface Figures {
  readonly figures: readonly Figure[]
  readonly machines: readonly Machine[]
}

export function readFigures(): Figures {
  return JSON.parse(readFileSync(FIGURES_FILE, 'utf8')) as Figures
}

/** Writes figures sorted by promise and file, and the machines that they were measured on. */
export function writeFigures({ figures, machines }: Figures): void {
  const sorted = figures.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
  const runs = new Set(figures.map(({ run }) => run))
  const measured = machines.filter(({ run }) => runs.has(run))
  const text = JSON.stringify({ figures: sorted, machines: measured }, null, 2)
  writeFileSync(FIGURES_FILE, `${text}\n`)
}

const keyOf = ({ id, file }: Figure) => `${id} ${file}`
