import type { PlainCommand } from './plain-commands.ts'

const PATTERN = /^[\w@%+:,./=*-]+(?: +[\w@%+:,./=*-]+)*$/

/** Whether a text is a pattern of commands: plain words, in which `*` stands for what may differ. */
export function isCommandPattern(text: string): boolean {
  return PATTERN.test(text)
}

/** Whether a command has the words of a pattern and no other; a `*` is no option and no file of curl's. */
export function fitsPattern(pattern: string, command: PlainCommand): boolean {
  const wanted = wordsOf(pattern)
  return (
    wanted.length === command.length &&
    wanted.every((want, index) => {
      const word = command[index] ?? ''
      return isWord(want, word) && (!want.startsWith(ANY) || /^[^@-]/.test(word))
    })
  )
}

/** Whether a command begins with the words of a pattern, by whatever path it is called; a `*` is any words. */
export function beginsWithPattern(pattern: string, command: PlainCommand): boolean {
  const wanted = wordsOf(pattern)
  const unplaced = withoutPath(wanted)
  const isAnyOfPath = wanted[0] !== ANY && unplaced[0] === ANY
  return begins(wanted, command) || (!isAnyOfPath && begins(unplaced, withoutPath(command)))
}

function withoutPath([name = '', ...words]: readonly string[]): readonly string[] {
  return [name.slice(name.lastIndexOf('/') + 1), ...words]
}

function begins(wanted: readonly string[], command: PlainCommand): boolean {
  const [start = [], ...others] = partsOf(wanted)
  if (!start.every((want, index) => isWord(want, command[index]))) return false
  let from = start.length
  for (const part of others.filter(({ length }) => length > 0)) {
    const at = command.findIndex(
      (_, index) => index >= from && part.every((want, on) => isWord(want, command[index + on])),
    )
    if (at === -1) return false
    from = at + part.length
  }
  return true
}

const ANY = '*'

function wordsOf(pattern: string): readonly string[] {
  return pattern.split(/ +/)
}

/** The words between those that stand for any. */
function partsOf(words: readonly string[]): readonly (readonly string[])[] {
  const parts: string[][] = [[]]
  for (const word of words) {
    if (word === ANY) parts.push([])
    else parts.at(-1)?.push(word)
  }
  return parts
}

function isWord(want: string, word: string | undefined): boolean {
  if (word === undefined) return false
  const [start = '', ...rest] = want.split('*')
  if (rest.length === 0) return want === word
  const end = rest.pop() ?? ''
  if (!word.startsWith(start) || !word.endsWith(end)) return false
  let at = start.length
  for (const part of rest) {
    const found = word.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return at <= word.length - end.length
}
