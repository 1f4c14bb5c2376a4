/** Marks the start and end of a text from the words of a page. */
const [OPEN, CLOSE] = ['⟦', '⟧']
/** Marks the start and end of an inserted value, which stays unchanged. */
const [PUT, END] = ['\uE000', '\uE001']

const ACCENTED = new Map(
  Array.from('abcdeghijklnoprstuwyzACDEGHIKLNOPRSTUWYZ', (letter, at) => [
    letter,
    Array.from('åƀçđéĝĥîĵķļñöþŕšţûŵýžÅÇĐÉĜĤÎĶĻÑÖÞŔŠŢÛŴÝŽ')[at] ?? letter,
  ]),
)

type Words = string | ((...values: never[]) => string) | { readonly [name: string]: Words }

/** Pseudo-localises every word of a page: accented, 40 % longer, between brackets. */
export function pseudo<Each extends Words>(words: Each): Each {
  // A text becomes a text, a function a function, an object an object.
  return changed(words) as Each
}

function changed(words: Words): Words {
  if (typeof words === 'string') return bracketed(words)
  if (typeof words === 'function') {
    return (...values: never[]) => bracketed(words(...(values.map(put) as never[])))
  }
  return Object.fromEntries(Object.entries(words).map(([name, each]) => [name, changed(each)]))
}

function put(value: unknown): unknown {
  return typeof value === 'string' ? `${PUT}${value}${END}` : value
}

function bracketed(text: string): string {
  if (text.trim() === '') return text
  const parts = text.split(new RegExp(`${PUT}([^${END}]*)${END}`))
  return `${OPEN}${parts.map((part, at) => (at % 2 === 0 ? stretched(part) : part)).join('')}${CLOSE}`
}

/** Word by word, so that lines break where they would. */
function stretched(text: string): string {
  return text.replaceAll(/[A-Za-z]+/g, (word) => {
    const more = Math.ceil(word.length * 0.4)
    const at = Math.max(0, word.search(/[aeiouy]/i))
    const longer = word.slice(0, at) + word.charAt(at).toLowerCase().repeat(more) + word.slice(at)
    return Array.from(longer, (letter) => ACCENTED.get(letter) ?? letter).join('')
  })
}
