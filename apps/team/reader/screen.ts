import type { Payload } from '../events/index.ts'

const HOST = String.raw`(?:localhost|127(?:\.\d{1,3}){0,3}|0\.0\.0\.0|\[::1\]|\[::ffff:127\.0\.0\.1\])`
const DATA_OPTION = String.raw`(?<=\s)(?:-d|--data(?:-raw|-binary|-ascii)?)(?=[\s='"$])[ =]*`
const QUOTED = new RegExp(`${DATA_OPTION}(?:\\$?'([^']*)'|"((?:[^"\\\\]|\\\\.)*)"|([^\\s'"@;|&]+))`)
const HERE = /<<-?\s*(['"]?)(\w+)\1/g
const BLANK = String.raw`[^\S\n\r\u2028\u2029]`
const FACE = new RegExp(
  `^${BLANK}*(?:@\\w+${BLANK}+)?FACE${BLANK}+(?:on${BLANK}+)?(\\w+)${BLANK}*$`,
  'im',
)
/** Here-documents of one shell call that are looked at. */
const HERE_DOCUMENTS_MAX = 8

/** The command that a shell call sends to the screen, or undefined when it sends none. */
export function screenCommand(shell: string, port: number): Payload<'screen_command'> | undefined {
  const request = new RegExp(`\\b(?:https?://)?${HOST}:${port}/cmd\\b|${HOST}:${port}/cmd\\b`, 'i')
  if (!request.test(shell)) return undefined
  const command = bodyOf(shell)
  if (command === undefined || command.trim() === '') return undefined
  const expression = expressionOf(command)
  return expression === undefined ? { command } : { command, expression }
}

function bodyOf(shell: string): string | undefined {
  const [, single, double, bare] = QUOTED.exec(shell) ?? []
  if (double !== undefined) return double.replaceAll(/\\(["\\$`])/g, '$1')
  return single ?? bare ?? hereDocumentIn(shell)
}

/** Returns the text of the first here-document that has an end. */
function hereDocumentIn(shell: string): string | undefined {
  let looked = 0
  for (const opening of shell.matchAll(HERE)) {
    const line = shell.indexOf('\n', opening.index + opening[0].length)
    if (line < 0 || ++looked > HERE_DOCUMENTS_MAX) return undefined
    const lines = shell.slice(line + 1).split('\n')
    const word = opening[2] ?? ''
    const end = lines.findIndex((each, at) => at > 0 && beginsWithWord(each.trimStart(), word))
    if (end > 0) return lines.slice(0, end).join('\n').trimEnd()
  }
  return undefined
}

function beginsWithWord(line: string, word: string): boolean {
  return line.startsWith(word) && !/^\w/.test(line.slice(word.length, word.length + 1))
}

function expressionOf(command: string): string | undefined {
  const face = FACE.exec(command)?.[1]?.toLowerCase()
  return face === 'on' || face === 'off' ? undefined : face
}
