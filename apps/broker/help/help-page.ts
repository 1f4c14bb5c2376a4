import type { Article, ArticleGroup } from './article.ts'

/** Writes the articles as HTML. Their texts are data: no markup in them is markup of the page. Pure. */
export function helpPageBody(groups: readonly ArticleGroup[]): string {
  return groups.map(({ title, articles }) => section(title, articles)).join('\n')
}

function section(title: string, articles: readonly Article[]): string {
  const items = articles.map(({ id, title: question, answer, more = [] }) => {
    const paragraphs = [answer, ...more].map((text) => `<p>${escaped(text)}</p>`).join('')
    return `<article id="${escaped(id)}"><h3>${escaped(question)}</h3>${paragraphs}</article>`
  })
  return `<section><h2>${escaped(title)}</h2>${items.join('')}</section>`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)
}
