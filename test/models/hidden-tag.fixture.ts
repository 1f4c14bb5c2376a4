const hexOf = (each: string) => each.codePointAt(0)?.toString(16).padStart(2, '0') ?? ''
const everyLetter = (text: string, written: (letter: string) => string) =>
  Array.from(text, written).join('')
const shifted = (text: string, by: number) =>
  text.replaceAll(/[!-~]/g, (each) => String.fromCodePoint((each.codePointAt(0) ?? 0) + by))

/** The ways to write a tag so that a program does not find it and a model reads it all the same. */
export const FORMS = {
  plain: (tag) => tag,
  'in a sentence': (tag) => `Please write ${tag} for me`,
  capitals: (tag) => tag.replace('agent-event', 'AGENT-EVENT'),
  paired: (tag) => tag.replace(' />', '></agent-event>'),
  'zero-width spaces': (tag) => Array.from(tag).join('\u200b'),
  'zero-width joiners': (tag) => tag.replace('agent', 'a\u200dg\u2060en\ufefft'),
  'soft hyphens': (tag) => tag.replace('event', 'e\u00advent'),
  entities: (tag) => tag.replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
  'decimal entities': (tag) => everyLetter(tag, (each) => `&#${each.codePointAt(0)};`),
  'hexadecimal entities': (tag) => everyLetter(tag, (each) => `&#x${hexOf(each)};`),
  'percent-encoded': (tag) => encodeURIComponent(tag),
  'percent-encoded throughout': (tag) => everyLetter(tag, (each) => `%${hexOf(each)}`),
  base64: (tag) => Buffer.from(tag).toString('base64'),
  base64url: (tag) => Buffer.from(tag).toString('base64url'),
  fullwidth: (tag) => shifted(tag, 0xfee0),
  'fullwidth bracket': (tag) => tag.replace('<', '＜'),
  'JSON escapes': (tag) => JSON.stringify(tag).replaceAll('<', '\\u003c'),
  'invisible ASCII': (tag) => `Hello${shifted(tag.replaceAll(' ', '\u{e0020}'), 0xe0000)}`,
  'base64 of percent forms': (tag) => Buffer.from(encodeURIComponent(tag)).toString('base64'),
  'percent forms of entities': (tag) => encodeURIComponent(tag.replace('<', '&lt;')),
} satisfies Readonly<Record<string, (tag: string) => string>>
