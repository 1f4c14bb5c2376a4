import { expect, test } from 'vitest'
import { helpLinksIn, withoutLinks } from './help-links.ts'

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
