import { startOf } from 'throughline/client'
import type { Payload } from '../events/index.ts'
import { shellCommands, unescaped } from './shell.ts'
import type { ShellCommand } from './shell.ts'

const HOST = String.raw`(?:localhost|127(?:\.\d{1,3}){0,3}|0\.0\.0\.0|\[::1\]|\[::ffff:127\.0\.0\.1\])`
const DATA_OPTION = /^--data(?:-raw|-binary|-ascii)?(?:=([^]*))?$/
/** Ends a group of short options, as `-sd` does, or begins with its text, as `-dCLR` does. */
const SHORT_DATA_OPTION = /^-(?:[a-zA-Z]*d$|d([^]+)$)/
const SHELL = /^(?:\S*\/)?(?:ba|da|z)?sh$/
const SHELL_OPTION = /^-[a-z]*c$/
const BLANK = String.raw`[^\S\n\r\u2028\u2029]`
const FACE = new RegExp(
  `^${BLANK}*(?:@\\w+${BLANK}+)?FACE${BLANK}+(?:on${BLANK}+)?(\\w+)${BLANK}*$`,
  'im',
)
/** Characters of one shell call that are searched for requests to the screen. */
const SHELL_CHARS_MAX = 100_000
/** Requests of one shell call that are read. */
const REQUESTS_MAX = 50
/** Characters of a text that `printf` repeats. */
const PRINTED_CHARS_MAX = 100_000
/** Pipes that a text is followed through. */
const PIPES_MAX = 4
/** Shells that a shell starts. */
const SHELLS_MAX = 2

/** The commands that a shell call sends to the screen, one for each request. */
export function screenCommands(shell: string, port: number): readonly Payload<'screen_command'>[] {
  const request = new RegExp(`^(?:--url=)?(?:https?://)?${HOST}:${port}/cmd\\b`, 'i')
  const read = startOf(shell, SHELL_CHARS_MAX)
  if (!read.includes(`:${port}/cmd`)) return []
  return requestsIn(read, request, SHELLS_MAX)
    .slice(0, REQUESTS_MAX)
    .map((command) => {
      const expression = expressionOf(command)
      return expression === undefined ? { command } : { command, expression }
    })
}

function requestsIn(shell: string, request: RegExp, shells: number): readonly string[] {
  return shellCommands(shell).flatMap((command) => {
    const { words } = command
    const inner = words.findIndex((word, at) => at > 0 && SHELL_OPTION.test(word))
    if (shells > 0 && inner > 0 && SHELL.test(words[inner - 1] ?? '')) {
      return requestsIn(words[inner + 1] ?? '', request, shells - 1)
    }
    if (!words.some((word) => request.test(word))) return []
    const body = bodyOf(command)
    return body.trim() === '' ? [] : [body]
  })
}

/** The text of all data options; `@-` names what the command reads. */
function bodyOf(command: ShellCommand): string {
  const { words } = command
  const given = words.flatMap((word, at) => {
    const found = DATA_OPTION.exec(word) ?? SHORT_DATA_OPTION.exec(word)
    return found ? [found[1] ?? words[at + 1] ?? ''] : []
  })
  const texts = given.map((text) => {
    if (!text.startsWith('@') || /^@\w+ /.test(text)) return text
    return text === '@-' || text === '@/dev/stdin' ? readBy(command, PIPES_MAX) : ''
  })
  return texts.filter((text) => text !== '').join('\n')
}

function readBy({ input, pipedFrom }: ShellCommand, pipes: number): string {
  return input ?? (pipedFrom && pipes > 0 ? printedBy(pipedFrom, pipes - 1) : '')
}

/** What a command prints, where its words say it. */
function printedBy(command: ShellCommand, pipes: number): string {
  const at = command.words.findIndex((word) => PRINTERS.has(word))
  const [name, ...words] = command.words.slice(Math.max(at, 0))
  if (name === 'cat') return readBy(command, pipes)
  if (name === 'echo') return echoed(words)
  return name === 'printf' ? formatted(words).trimEnd() : ''
}

const PRINTERS: ReadonlySet<string> = new Set(['cat', 'echo', 'printf'])

function echoed(words: readonly string[]): string {
  const first = words.findIndex((word) => !/^-[neE]+$/.test(word))
  const text = first < 0 ? '' : words.slice(first).join(' ')
  return words.slice(0, Math.max(first, 0)).some((word) => word.includes('e'))
    ? unescaped(text)
    : text
}

/** The format is used again while words are left. */
function formatted([format = '', ...words]: readonly string[]): string {
  let text = ''
  let used = 0
  do {
    const before = used
    text += unescaped(format).replaceAll(/%(?:[sdib]|%)/g, (found) =>
      found === '%%' ? '%' : (words[used++] ?? ''),
    )
    if (used === before) break
  } while (used < words.length && text.length < PRINTED_CHARS_MAX)
  return text
}

function expressionOf(command: string): string | undefined {
  const face = FACE.exec(command)?.[1]?.toLowerCase()
  return face === 'on' || face === 'off' ? undefined : face
}
