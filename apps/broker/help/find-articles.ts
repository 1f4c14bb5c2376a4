import MiniSearch from 'minisearch'
import type { Article } from './article.ts'
import { DIFFICULTY_ARTICLES } from './articles/difficulty.ts'
import { INSTALLER_ARTICLES } from './articles/installer.ts'
import { CUSTOMER_GROUPS } from './groups.ts'

export type Side = 'customer' | 'installer'

/** Below this an article only shares a common word with the question. */
const SCORE_MIN = 6
/** From here on an article answers the question even when it knows only half of its words. */
const SCORE_SURE = 20
/** An article must hold this share of a question's telling words. */
const COVERAGE_MIN = 0.5
const QUESTION_CHARS_MAX = 500

const COMMON = new Set(
  `a about again all also am an and any anyone are as ask at be because been but by can could did do does
  doing don't else for from get give go going got had has have he her here him his how i i'd i'll i'm i've
  if in into is it it's its just know let like long lot many may me might more much my no not now of
  off ok on one or our out over please really say she should so some somebody something tell than that
  that's the their them then there these they thing things this those to too up us use very want was we well
  what what's when where which who who's whose why will with would yes you you're your`.split(
    /\s+/,
  ),
)

interface Index {
  readonly articles: readonly Article[]
  readonly search: MiniSearch<Article>
}

const INDEXES: Readonly<Record<Side, Index>> = {
  // Articles for people in difficulty are found by their signs alone, so that no stray word brings one.
  customer: indexOf(
    CUSTOMER_GROUPS.flatMap(({ articles }) => articles).filter((article) => !('signs' in article)),
  ),
  installer: indexOf(INSTALLER_ARTICLES),
}

function indexOf(articles: readonly Article[]): Index {
  const search = new MiniSearch<Article>({
    fields: ['title', 'asked', 'answer'],
    extractField: (article, field) => {
      if (field === 'asked') return article.asked.join('\n')
      return field === 'title' ? article.title : field === 'answer' ? article.answer : article.id
    },
    processTerm: telling,
    searchOptions: {
      boost: { title: 3, asked: 2.5, answer: 0.6 },
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      // Articles that list many ways of asking are not less about each of them.
      bm25: { k: 1.2, b: 0.2, d: 0.5 },
      prefix: (term) => term.length > 3,
    },
  })
  search.addAll(articles)
  return { articles, search }
}

/** The stem of a word that carries the subject of a question; nothing for a common word. */
function telling(word: string): string | undefined {
  const plain = word.toLowerCase().replaceAll('’', "'")
  if (COMMON.has(plain) || plain.length < 2) return undefined
  return plain
    .replace(/'s?$/, '')
    .replace(/(?<=\w{3})(?:ies|y)$/, 'i')
    .replace(/(?<=[^s]{3})(?:es|s|ing|ed)$/, '')
}

/** The articles that answer a question, best first; none when it is about something else. Pure. */
export function articlesFor(question: string, side: Side, countMax: number): readonly Article[] {
  const { articles, search } = INDEXES[side]
  const asked = question.slice(0, QUESTION_CHARS_MAX)
  const found = search.search(asked)
  return found
    .filter(({ score, queryTerms }) => {
      const coverage = queryTerms.length / tellingWords(asked)
      return coverage > COVERAGE_MIN
        ? score >= SCORE_MIN
        : coverage === COVERAGE_MIN && score >= SCORE_SURE
    })
    .slice(0, countMax)
    .flatMap(({ id }) => articles.find((article) => article.id === id) ?? [])
}

function tellingWords(text: string): number {
  const words = text.split(/[^\p{L}\p{N}'’]+/u).flatMap((word) => telling(word) ?? [])
  return Math.max(1, new Set(words).size)
}

/** The article for the difficulty that a customer mentions, the most urgent first. Pure. */
export function supportIn(said: string): Article | undefined {
  const plain = said.toLowerCase().replaceAll('’', "'")
  return DIFFICULTY_ARTICLES.find(({ signs }) => signs.test(plain))
}
