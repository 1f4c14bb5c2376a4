/** Here-documents of one shell call that are read. */
const HERE_DOCUMENTS_MAX = 8

/** One command: its words without their quotes, and what it reads. */
export interface ShellCommand {
  readonly words: readonly string[]
  /** The text that is written out for it: a here-document, or a here-string. */
  readonly input: string | undefined
  readonly pipedFrom: ShellCommand | undefined
}

const TOKEN = new RegExp(
  [
    String.raw`(?<blank>[ \t]+|\\\n|(?<=\s)#[^\n]*)`,
    String.raw`(?<hereString><<<)`,
    String.raw`<<-?[ \t]*(?<quote>['"]?)(?<hereWord>\w+)\k<quote>`,
    String.raw`(?<redirection>[<>]+&?)`,
    String.raw`(?<operator>&&|\|\||\|&|[;|&()\n])`,
    String.raw`'(?<single>[^']*)'`,
    String.raw`\$'(?<ansi>(?:[^'\\]|\\[^])*)'`,
    String.raw`"(?<double>(?:[^"\\]|\\[^])*)"`,
    String.raw`\\(?<escaped>[^])`,
    String.raw`(?<plain>[^\s'"\\$;|&()<>]+|[^])`,
  ].join('|'),
  'y',
)

type Token = Readonly<Partial<Record<string, string>>>

/** Reads the commands of a shell call whose words are written out. Variables and loops stay as they are. */
export function shellCommands(shell: string): readonly ShellCommand[] {
  return new ShellReader(shell).read()
}

class ShellReader {
  readonly #shell: string
  readonly #commands: ShellCommand[] = []
  /** The word that is being read; undefined between words. */
  #word: string | undefined
  #words: string[] = []
  #input: string | undefined
  #isInputNext = false
  #pipedFrom: ShellCommand | undefined
  /** Where the here-documents of this line end. */
  #behindHere: number | undefined
  #hereDocuments = 0

  constructor(shell: string) {
    this.#shell = shell
  }

  read(): readonly ShellCommand[] {
    let at = 0
    while (at < this.#shell.length) {
      TOKEN.lastIndex = at
      const found = TOKEN.exec(this.#shell)
      at += found?.[0].length ?? 1
      at = this.#take(found?.groups ?? {}, at)
    }
    this.#endCommand(';')
    return this.#commands
  }

  /** Returns the place to read on from. */
  #take(token: Token, at: number): number {
    const { hereWord, operator } = token
    const text = textOf(token)
    if (text !== undefined) {
      this.#word = (this.#word ?? '') + text
      return at
    }
    this.#endWord()
    if (token['hereString'] !== undefined) this.#isInputNext = true
    if (hereWord !== undefined) this.#readHereDocument(hereWord, at)
    if (operator !== undefined) this.#endCommand(operator)
    if (operator !== '\n' || this.#behindHere === undefined) return at
    const behind = this.#behindHere
    this.#behindHere = undefined
    return behind
  }

  #readHereDocument(word: string, at: number): void {
    if (++this.#hereDocuments > HERE_DOCUMENTS_MAX) return
    const from = this.#behindHere ?? behindLine(this.#shell, at)
    for (let line = from; line < this.#shell.length;) {
      const next = behindLine(this.#shell, line)
      if (beginsWithWord(this.#shell.slice(line, next).trimStart(), word)) {
        this.#input = this.#shell.slice(from, line).trimEnd()
        // What follows the word in its line is read on.
        this.#behindHere = line + this.#shell.slice(line, next).indexOf(word) + word.length
        return
      }
      line = next
    }
  }

  #endWord(): void {
    if (this.#word === undefined) return
    if (this.#isInputNext) this.#input = this.#word
    else this.#words.push(this.#word)
    this.#isInputNext = false
    this.#word = undefined
  }

  #endCommand(operator: string): void {
    this.#endWord()
    const command = { words: this.#words, input: this.#input, pipedFrom: this.#pipedFrom }
    const isPipe = operator === '|' || operator === '|&'
    if (command.words.length > 0) this.#commands.push(command)
    // A pipe goes on after the end of its line.
    if (command.words.length === 0 && operator === '\n') return
    this.#pipedFrom = isPipe ? command : undefined
    this.#words = []
    this.#input = undefined
  }
}

function textOf({ single, ansi, double, escaped, plain }: Token): string | undefined {
  if (ansi !== undefined) return unescaped(ansi)
  if (double !== undefined) return unquoted(double)
  return single ?? escaped ?? plain
}

/** The place behind the line that holds a place. */
function behindLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end + 1
}

function beginsWithWord(line: string, word: string): boolean {
  return line.startsWith(word) && !/^\w/.test(line.slice(word.length, word.length + 1))
}

const LETTERS: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

/** A text with the escapes of `$'…'`, `echo -e` and `printf`. */
export function unescaped(text: string): string {
  return text.replaceAll(/\\([^])/g, (_whole, letter: string) => LETTERS[letter] ?? letter)
}

function unquoted(text: string): string {
  return text.replaceAll(/\\(["\\$`])/g, '$1')
}
