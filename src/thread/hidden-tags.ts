/** The number of nested encodings that are decoded. */
export const HIDDEN_DEPTH_MAX = 3

const LEFT_OUT = '[A text that hides a tag was left out.]'

/** Text without any of these spells no tag in any form that is decoded here. */
const SUSPICIOUS = /[<&%\\]|-[eE][vV]|[^\x20-\x7e\s]|[a-z\d][A-Z]/
const UNUSUAL = /[^\x20-\x7e\s]/
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]|(?!\s)\p{Cc}/gu
/** Unicode's second ASCII, which people do not see and models can read. */
const TAG_CHARACTERS = /[\u{e0020}-\u{e007e}]/gu
const BASE64 = /(?<![\w+/-])[\w+/-]{15,}={0,2}/g
/** No word in a language is written so, and nearly all base64 is. */
const MIXED_CASE = /[a-z\d][A-Z]/
/** The stretches of decoded bytes that are text; the shortest has the length of `agent-event`. */
const LEGIBLE = /[\t\n\r\x20-\x7e\xa0-\ufffc]{11,}/g
const ENTITIES = new Map([
  ['amp', '&'],
  ['apos', "'"],
  ['dash', '-'],
  ['equals', '='],
  ['gt', '>'],
  ['hyphen', '-'],
  ['lt', '<'],
  ['nbsp', ' '],
  ['quot', '"'],
])

const LETTERS = Array.from('agent-event')
const WHOLE = LETTERS.join('\\s*')
/** Matches the beginning of an opener at the end of a text: another text may continue it. */
const BEGUN = `${LETTERS.slice(0, -1).reduceRight((rest, letter) => `(?:${letter}\\s*${rest})?`, '')}$`
const ARMED = new RegExp(`<(?=\\s*(?:/\\s*)?(?:${WHOLE}|${BEGUN}))`, 'gi')
const OPENED = new RegExp(`<(?:\\s*${WHOLE}|(?=ag)${BEGUN})`, 'gi')
const NAMED_ALONE = /(?<!\/)agent-event(?![\w:.-])/gi

/** Counts the openers in a text, also without the bracket, which may be in another text. */
export function countOpeners(text: string): number {
  return Math.max(text.match(OPENED)?.length ?? 0, text.match(NAMED_ALONE)?.length ?? 0)
}

/**
 * A text as its readers may see it: without invisible characters first, then with everything decoded that is
 * encoded in it. None when it spells no tag in any of these forms. Pure; linear in the text.
 */
export function readingsOf(text: string): readonly string[] {
  if (!SUSPICIOUS.test(text)) return []
  const found = new Set<string>()
  let layer: readonly string[] = [text]
  for (let depth = 0; depth <= HIDDEN_DEPTH_MAX && layer.length > 0; depth++) {
    const fresh = new Set(layer.flatMap(visibleIn).filter((each) => !found.has(each)))
    for (const each of fresh) found.add(each)
    layer = [...fresh].flatMap((each) => [unescaped(each), ...base64In(each)])
  }
  return [...found]
}

/** Takes the meaning out of any tag in text that did not come from the model, and mends half characters. */
export function neutralise(text: string): string {
  const whole = text.toWellFormed()
  // Most text has none, and all of a history passes here before each model call.
  if (!SUSPICIOUS.test(whole)) return whole
  let shown = disarmed(whole)
  for (let depth = 0; depth < HIDDEN_DEPTH_MAX && hidesTag(shown); depth++) {
    shown = disarmed(decoded(shown))
  }
  return hidesTag(shown) ? LEFT_OUT : shown
}

function disarmed(text: string): string {
  return text.includes('<') ? text.replace(ARMED, '‹') : text
}

function hidesTag(text: string): boolean {
  return readingsOf(text).some((reading) => disarmed(reading) !== reading)
}

/** A text without what its readers do not see, in the plain form of each character. */
export function visible(text: string): string {
  if (!UNUSUAL.test(text)) return text
  const shown = text.replaceAll(INVISIBLE, '').normalize('NFKC')
  return shown.replaceAll(/\p{Pd}/gu, '-')
}

/** Each reading also without its line breaks, because an encoding may be broken anywhere. */
function visibleIn(text: string): readonly string[] {
  const shown = text.includes('\udb40') ? [text, text.replaceAll(TAG_CHARACTERS, asciiOf)] : [text]
  const readings = shown.map(visible)
  return /[\r\n]/.test(text)
    ? [...readings, ...readings.map((each) => each.replaceAll(/[\r\n]+/g, ''))]
    : readings
}

function asciiOf(character: string): string {
  return String.fromCodePoint((character.codePointAt(0) ?? 0) - 0xe0000)
}

function unescaped(text: string): string {
  if (!/[&%\\]/.test(text)) return text
  return text
    .replaceAll(/&([a-z]+);?/gi, (whole, name: string) => ENTITIES.get(name.toLowerCase()) ?? whole)
    .replaceAll(/&#(\d{1,7});?/g, (whole, digits: string) => characterOf(Number(digits)) ?? whole)
    .replaceAll(
      /&#x([\da-f]{1,6});?|\\u\{([\da-f]{1,6})\}|\\u([\da-f]{4})|\\x([\da-f]{2})/gi,
      (whole, ...digits: readonly (string | undefined)[]) =>
        characterOf(Number.parseInt(digits.find(Boolean) ?? '', 16)) ?? whole,
    )
    .replaceAll(/(?:%[\da-f]{2})+/gi, readPercents)
    .replaceAll(/\\[nrt]/g, ' ')
    .replaceAll(/\\(["'/\\])/g, '$1')
}

function readPercents(run: string): string {
  const bytes = run.slice(1).split('%')
  return textOf(Uint8Array.from(bytes, (hex) => Number.parseInt(hex, 16)))
}

function characterOf(code: number): string | undefined {
  return code <= 0x10_ffff ? String.fromCodePoint(code) : undefined
}

/** Decodes base64 in a text, from each place at which it may begin. */
function base64In(text: string): readonly string[] {
  return (text.match(BASE64) ?? [])
    .filter((run) => MIXED_CASE.test(run))
    .flatMap((run) => [0, 1, 2, 3].flatMap((from) => readBase64(run.slice(from))))
}

function readBase64(run: string): readonly string[] {
  const digits = run.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
  // A single last digit encodes nothing, and `atob` refuses it.
  const read = atob(digits.length % 4 === 1 ? digits.slice(0, -1) : digits)
  return textOf(bytesOf(read)).match(LEGIBLE) ?? []
}

/** The bytes that `atob` gives as characters. A loop: texts may be long, and `Array.from` is slow. */
function bytesOf(read: string): Uint8Array {
  const bytes = new Uint8Array(read.length)
  for (let at = 0; at < read.length; at++) bytes[at] = read.charCodeAt(at)
  return bytes
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

/** A text with each encoding replaced by its content, base64 only where it hides a tag. */
function decoded(text: string): string {
  const shown = visibleIn(text).at(-1) ?? ''
  const read = shown.replace(BASE64, (run) => base64In(run).find(hidesTag) ?? run)
  return unescaped(read)
}
