/** Text that would make a careless reader slow, cut short at any length. */
export interface HostileText {
  readonly name: string
  readonly start: string
  readonly piece: string
}

export const HOSTILE: readonly HostileText[] = [
  { name: '1 MB of <', start: '', piece: '<' },
  { name: 'openers', start: '', piece: '<agent-event ' },
  { name: 'starts of openers', start: '', piece: '<agent-even' },
  { name: 'tags that are not closed', start: '', piece: `<agent-event type="t" data='{"a":"` },
  { name: 'braces that never close', start: `<agent-event data='{`, piece: '{"a":' },
  { name: 'a string that never closes', start: `<agent-event data='{"`, piece: 'x\\"' },
  { name: 'lone surrogates', start: '', piece: '\ud800' },
  { name: 'lines of blanks', start: '', piece: '   \n' },
  { name: 'tags with an apostrophe for JSON', start: '', piece: tag("{'a':1}") },
  { name: 'tags with a word for JSON', start: '', piece: tag('{x}') },
  { name: 'tags with a comma too many', start: '', piece: tag('{"a":1,}') },
  { name: 'tags with a name given twice', start: '', piece: tag('{"a":1,"a":2}') },
  {
    name: 'tags with JSON too deep',
    start: '',
    piece: tag('{"a":'.repeat(99) + '1' + '}'.repeat(99)),
  },
  { name: 'nothing but sound tags', start: '', piece: tag('{"a":1}') },
]

export function hostileText({ start, piece }: HostileText, length: number): string {
  return (start + piece.repeat(Math.ceil(length / piece.length))).slice(0, length)
}

function tag(json: string): string {
  return `<agent-event type="t" data='${json}' />`
}
