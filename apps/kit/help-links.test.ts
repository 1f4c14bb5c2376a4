import { expect, test } from 'vitest'
import { helpLinksIn, withoutBegunLink, withoutLinks } from './help-links.ts'

test('a link to the help page is drawn, and every other stays text', () => {
  const reply =
    'APR is a cost. [What is APR?](/help#apr). [Press](https://evil.example) [me](/api/x)'
  expect(helpLinksIn(reply)).toEqual([
    { text: 'APR is a cost. ' },
    { text: 'What is APR?', href: '/help#apr' },
    { text: '. [Press](https://evil.example) [me](/api/x)' },
  ])
  expect(helpLinksIn('plain')).toEqual([{ text: 'plain' }])
  expect(withoutLinks('Yes. [What is APR?](/help#apr).')).toBe('Yes. What is APR?.')
})

test('a link that is still being written shows its words at every moment, and never its brackets', () => {
  const reply = 'APR is a cost. [What is APR?](/help#apr)'
  const seen = Array.from(reply, (_, at) => withoutLinks(withoutBegunLink(reply.slice(0, at + 1))))
  expect(seen.filter((text) => !'APR is a cost. What is APR?'.startsWith(text))).toEqual([])
  expect(withoutBegunLink('Costs [see below] are 5.')).toBe('Costs [see below] are 5.')
})
