/** Lines of one command that are read. */
export const SCREEN_LINES_MAX = 500
const NUMBER_MAX = 10_000

/** The number of leading numbers of each command. */
const NUMBERS: Readonly<Record<string, number>> = {
  S: 0,
  E: 0,
  P: 2,
  T: 0,
  BG: 0,
  B: 1,
  CLRITM: 0,
  BTN: 0,
  CLRBTN: 0,
  PROG: 4,
  COL: 1,
  RECT: 4,
  CIRC: 3,
  LINE: 4,
  DOT: 2,
  CLR: 0,
  F: 0,
  I: 0,
  W: 1,
  LISTEN: 0,
  MENU: 0,
  MENU_EXIT: 0,
  MENU_NAV: 0,
  FACE: 0,
}

export interface ScreenCommand {
  readonly name: string
  readonly numbers: readonly number[]
  /** The text after the numbers. */
  readonly text: string
}

/** Reads commands, one a line. A line that is no command is left out; numbers are clamped. */
export function parseCommands(text: string): readonly ScreenCommand[] {
  return text.split('\n', SCREEN_LINES_MAX).flatMap((line) => parseLine(line) ?? [])
}

function parseLine(line: string): ScreenCommand | undefined {
  const [name = '', ...words] = line
    .trim()
    .replace(/^@\S+\s+/, '')
    .split(/\s+/)
  const count = Object.hasOwn(NUMBERS, name) ? NUMBERS[name] : undefined
  if (count === undefined) return undefined
  const numbers = words.slice(0, count).map(Number)
  if (numbers.length < count || !numbers.every(Number.isFinite)) return undefined
  return { name, numbers: numbers.map(clamped), text: words.slice(count).join(' ') }
}

function clamped(value: number): number {
  return Math.max(0, Math.min(NUMBER_MAX, Math.round(value)))
}
