import { parseCommands } from '../../screen/commands.ts'
import { WORDS } from '../words.ts'

const SHAPES: ReadonlySet<string> = new Set(['RECT', 'CIRC', 'LINE', 'DOT'])
/** These begin a new drawing. */
const CLEARS: ReadonlySet<string> = new Set(['CLR', 'BG'])

/** What the screen shows, in words: its face, its text, its bar and how many shapes. */
export function screenWords(texts: readonly string[]): string {
  const all = texts.flatMap(parseCommands)
  const from = all.findLastIndex(({ name }) => CLEARS.has(name))
  const shown = all.slice(from + 1)
  const last = (name: string) => shown.findLast((command) => command.name === name)
  const [face, text, bar] = [last('FACE'), last('T'), last('PROG')]
  const state = face?.text.replace(/^on\s*/, '') || 'idle'
  const shapes = shown.filter(({ name }) => SHAPES.has(name)).length
  const { told } = WORDS.screen
  return [
    face && state !== 'off' ? told.face(state) : '',
    text && text.text !== '' ? told.text(text.text) : '',
    bar ? told.bar(Math.min(100, bar.numbers[3] ?? 0)) : '',
    shapes > 0 ? told.shapes(shapes) : '',
  ]
    .filter((each) => each !== '')
    .join(' ')
}

/** The last word of the team on its own state, as in `S working`. */
export function screenState(texts: readonly string[]): string {
  return texts.flatMap(parseCommands).findLast(({ name }) => name === 'S')?.text ?? ''
}
