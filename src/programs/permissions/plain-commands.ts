/** The longest command that is read, in characters. */
export const COMMAND_CHARS_MAX = 10_000

/** The words of one command. */
export type PlainCommand = readonly string[]

/**
 * Reads a command line of POSIX shells whose words all stand there as they are: without variables, substitutions,
 * patterns, redirections, escapes, comments, reserved words and commands in the background. The commands of a line
 * are parted by `;`, `&&`, `||`, `|` or a new line.
 *
 * @returns nothing for any other line: a shell may make something else of it than what is seen
 */
export function plainCommands(line: string): readonly PlainCommand[] | undefined {
  const parts = line.length > COMMAND_CHARS_MAX ? undefined : partsOf(line)
  const commands = parts && wordsOf(parts)
  const isPlain =
    commands?.length && commands.every(([name = '']) => !name.includes('=') && !RESERVED.has(name))
  return isPlain ? commands : undefined
}

/** Before a command, they are no name of it: the command begins behind them. The last four are those of zsh. */
const RESERVED: ReadonlySet<string> = new Set(
  (
    'if then elif else fi for while until do done case esac in select function time coproc ' +
    'foreach repeat nocorrect end'
  ).split(' '),
)

/** Plain characters, a text in single or double quotes, blanks, or what parts two commands. */
const PART = /([\w@%+:,./=-]+)|'([^'\0]*)'|"([^"$`\\!\0]*)"|([ \t]+)|(?:&&|\|\|?|;|\n)/y

interface Part {
  /** What stands in a word, unless the part ends one. */
  readonly text: string | undefined
  readonly isBlank: boolean
}

function partsOf(line: string): readonly Part[] | undefined {
  const parts: Part[] = []
  PART.lastIndex = 0
  while (PART.lastIndex < line.length) {
    const found = PART.exec(line)
    if (!found) return undefined
    const [, plain, single, double, blank] = found
    parts.push({ text: plain ?? single ?? double, isBlank: blank !== undefined })
  }
  return parts
}

function wordsOf(parts: readonly Part[]): readonly PlainCommand[] {
  const commands: string[][] = [[]]
  let word: string | undefined
  for (const { text, isBlank } of [...parts, { text: undefined, isBlank: true }]) {
    if (text !== undefined) word = (word ?? '') + text
    else {
      if (word !== undefined) commands.at(-1)?.push(word)
      word = undefined
      if (!isBlank) commands.push([])
    }
  }
  return commands.filter((words) => words.length > 0)
}
