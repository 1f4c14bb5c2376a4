const STYLE =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}' +
  'pre{overflow:auto}'

/** Shows headings, lists, code and paragraphs of a Markdown text. Its HTML is shown as text. */
export function markdownPage(text: string): string {
  const blocks = text.split(/\n{2,}/).map((block) => blockHtml(block.trim()))
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><style>${STYLE}</style>`
  return `<!doctype html><html lang="en">${head}<body>${blocks.join('\n')}</body></html>`
}

function blockHtml(block: string): string {
  if (block === '') return ''
  if (block.startsWith('```')) {
    return `<pre><code>${escape(block.replace(/^```[^\n]*\n?|```$/g, ''))}</code></pre>`
  }
  const [, marks, title] = /^(#{1,6}) +([^\n]+)$/.exec(block) ?? []
  if (marks !== undefined && title !== undefined) {
    return `<h${marks.length}>${inlineHtml(title)}</h${marks.length}>`
  }
  const lines = block.split('\n')
  if (lines.every((line) => /^\s*[-*] /.test(line))) {
    const items = lines.map((line) => `<li>${inlineHtml(line.replace(/^\s*[-*] /, ''))}</li>`)
    return `<ul>${items.join('')}</ul>`
  }
  return `<p>${inlineHtml(block)}</p>`
}

function inlineHtml(text: string): string {
  return escape(text)
    .replaceAll(/\*\*([^*\n]+)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/`([^`\n]+)`/g, '<code>$1</code>')
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
