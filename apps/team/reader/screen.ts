import type { Payload } from '../events/index.ts'

const HOST = String.raw`(?:localhost|127(?:\.\d{1,3}){0,3}|0\.0\.0\.0|\[::1\]|\[::ffff:127\.0\.0\.1\])`
const DATA_OPTION = String.raw`(?<=\s)(?:-d|--data(?:-raw|-binary|-ascii)?)(?=[\s='"$])[ =]*`
const QUOTED = new RegExp(`${DATA_OPTION}(?:\\$?'([^']*)'|"((?:[^"\\\\]|\\\\.)*)"|([^\\s'"@;|&]+))`)
const HERE = /<<-?\s*(['"]?)(\w+)\1[^\n]*\n([^]*?)\n\s*\2\b/
const FACE = /^\s*(?:@\w+\s+)?FACE\s+(?:on\s+)?(\w+)\s*$/im

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
  return single ?? bare ?? HERE.exec(shell)?.[3]
}

function expressionOf(command: string): string | undefined {
  const face = FACE.exec(command)?.[1]?.toLowerCase()
  return face === 'on' || face === 'off' ? undefined : face
}
