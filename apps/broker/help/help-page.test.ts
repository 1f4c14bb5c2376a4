import { expect, test } from 'vitest'
import { helpPageBody } from './help-page.ts'
import { ARTICLE_GROUPS } from './index.ts'

test('every article has its anchor on the page', () => {
  const html = helpPageBody(ARTICLE_GROUPS)
  for (const { id } of ARTICLE_GROUPS.flatMap(({ articles }) => articles)) {
    expect(html).toContain(`<article id="${id}">`)
  }
})

test('markup in an article is shown as text', () => {
  const article = {
    id: 'a',
    title: '<b>?',
    answer: '<script>alert("1")</script> & more',
    asked: [],
  }
  expect(helpPageBody([{ title: '<i>', articles: [article] }])).toBe(
    '<section><h2>&lt;i&gt;</h2><article id="a"><h3>&lt;b&gt;?</h3>' +
      '<p>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; more</p></article></section>',
  )
})
