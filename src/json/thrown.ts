import { startOf } from './json.ts'

/** Objects inside a thrown one that are read: `{ response: { error: { message } } }` has three. */
const LAYERS_MAX = 4
/** The longest JSON text of an object that has no message, in characters. */
const OBJECT_CHARS_MAX = 500

/**
 * Returns the message of whatever was thrown: of an error, of a plain object such as `{ message }` or a
 * provider's `{ error: { message } }`, or else the value as text. Never throws.
 */
export function thrownMessage(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return messageOfError(thrown)
    if (typeof thrown !== 'object' || thrown === null) return String(thrown)
    const texts = layersOf(thrown).flatMap((layer) => [layer['message'], layer['error']])
    return texts.find(isWritten) ?? startOf(JSON.stringify(thrown), OBJECT_CHARS_MAX)
  } catch {
    return 'It threw a value that has no text'
  }
}

/**
 * Returns a member of whatever was thrown, or of the error that a provider put into it; `undefined` when
 * none has it. Never throws.
 */
export function thrownMember(thrown: unknown, member: string): unknown {
  try {
    return layersOf(thrown)
      .map((layer) => layer[member])
      .find((value) => value !== undefined && value !== null)
  } catch {
    return undefined
  }
}

/** Whether a thrown value is an error of a class. Never throws, as `instanceof` does for some proxies. */
export function isThrown<Kind extends object>(
  thrown: unknown,
  kind: abstract new (...args: never[]) => Kind,
): thrown is Kind {
  try {
    return thrown instanceof kind
  } catch {
    return false
  }
}

function messageOfError(error: Error): string {
  const { message } = error
  // Node leaves the message of a connection that failed at several addresses empty.
  return String(message === '' && 'code' in error ? error.code : message)
}

type Layer = Readonly<Record<string, unknown>>

/** A value and the errors inside it, from the outside in. */
function layersOf(thrown: unknown): readonly Layer[] {
  const layers: Layer[] = []
  let next = thrown
  while (isLayer(next) && layers.length < LAYERS_MAX) {
    layers.push(next)
    // An error has a message of its own.
    next = next instanceof Error ? undefined : (next['error'] ?? next['response'])
  }
  return layers
}

function isLayer(value: unknown): value is Layer {
  return typeof value === 'object' && value !== null
}

function isWritten(text: unknown): text is string {
  return typeof text === 'string' && text.trim() !== ''
}
