/**
 * Help articles as data, and the search that finds the ones which answer a message. An article states
 * nothing about one case, and no figure that would depend on it. It must never know a case.
 *
 * @module
 */
export type { Article } from './article.ts'
export { ARTICLE_GROUPS } from './groups.ts'
export { articlesFor, supportIn } from './find-articles.ts'
export type { Side } from './find-articles.ts'
