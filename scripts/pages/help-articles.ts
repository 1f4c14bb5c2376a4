import type { Plugin } from 'vite'
import { ARTICLE_GROUPS } from '../../apps/broker/help/groups.ts'
import { helpPageBody } from '../../apps/broker/help/help-page.ts'

const MARK = '<!-- help articles -->'

/** Writes the help articles into the help page, which needs no script. */
export function helpArticles(): Plugin {
  return {
    name: 'help-articles',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => html.replace(MARK, () => helpPageBody(ARTICLE_GROUPS)),
    },
  }
}
