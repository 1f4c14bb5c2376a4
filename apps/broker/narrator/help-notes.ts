import { ARTICLE_GROUPS, articlesFor, supportIn } from '../help/index.ts'
import type { Article, Side } from '../help/index.ts'
import { isForeign } from './other-languages.ts'
import { PARTS_MAX, isAsking, partsOf, plainWords } from './questions.ts'

/** The most articles that one message brings to a model. */
const HELP_NOTES_MAX = 8
/** A question alone brings the next best article too: a model may choose. */
const ARTICLES_OF_ONE = 2

/** An article that may answer a part of a message. */
export interface Help {
  /** The place of the part in the message, from 1. */
  readonly part: number
  /** `support`: the customer is in difficulty, so this comes first. */
  readonly kind: 'support' | 'answer'
  readonly article: Pick<Article, 'id' | 'title' | 'answer'>
}

/** Finds the articles that answer each part of a message. Pure. */
export function helpFor(said: string, side: Side): readonly Help[] {
  const parts = partsOf(plainWords(said)).slice(0, PARTS_MAX)
  const countMax = parts.length === 1 ? ARTICLES_OF_ONE : 1
  const found = parts.flatMap((part, at) => helpForPart(part, { part: at + 1, side, countMax }))
  return found.slice(0, HELP_NOTES_MAX)
}

interface HelpSearch {
  readonly part: number
  readonly side: Side
  readonly countMax: number
}

function helpForPart(said: string, { part, side, countMax }: HelpSearch): readonly Help[] {
  const support = side === 'customer' ? supportFor(said) : undefined
  const first: readonly Help[] = support ? [{ part, kind: 'support', article: support }] : []
  if (support && support.id !== 'not-understood') return first
  if (!isAsking(said) && !(side === 'customer' && isKeyword(said))) return first
  const articles = articlesFor(said, side, countMax)
  return [...first, ...articles.map((article) => ({ part, kind: 'answer' as const, article }))]
}

function supportFor(said: string): Article | undefined {
  return supportIn(said) ?? (isForeign(said) ? ARTICLES.get('language') : undefined)
}

const ARTICLES = new Map(
  ARTICLE_GROUPS.flatMap(({ articles }) => articles).map((article) => [article.id, article]),
)

/** "Early repayment" is a question as well. */
function isKeyword(said: string): boolean {
  return said.split(' ').length <= 2
}

const BEGINS = { support: 'Support first', answer: 'Help' } as const
const NOTE = /^\[(Support first|Help) for part (\d+), \/help#([a-z0-9-]+), "([^"]+)": (.+)\]$/

/** The articles that the figures of the case belong to. */
const FIGURED: readonly string[] = [
  'apr',
  'total-cost',
  'monthly-payment',
  'repayment-term',
  'quote',
]
const COSTS = /^\[The costs of this case: (.+)\]$/

/** Asks for the lender of an offer, which the costs name. */
export const ASKS_LENDER =
  /\b(?:who|which|what)\b.*\b(?:lender|bank)\b|\bwho (?:lends|is lending|would lend)\b|\bname of (?:the|my) (?:lender|bank)\b/

/** Returns a model's notes on matching help articles, and on the cost of the loan if they mention it. */
export function helpNotes(said: string, side: Side, costs = ''): readonly string[] {
  const found = helpFor(said, side)
  const figured = costs !== '' && (found.some(isFigured) || ASKS_LENDER.test(plainWords(said)))
  return [...found.map(helpNote), ...(figured ? [`[The costs of this case: ${costs}]`] : [])]
}

export function isFigured({ article }: Help): boolean {
  return FIGURED.includes(article.id)
}

/** The costs that a note gives; empty when none does. */
export function readCosts(notes: readonly string[]): string {
  return notes.map((note) => COSTS.exec(note)?.[1] ?? '').find((costs) => costs !== '') ?? ''
}

function helpNote({ part, kind, article: { id, title, answer } }: Help): string {
  return `[${BEGINS[kind]} for part ${part}, /help#${id}, "${title}": ${answer}]`
}

export function readHelpNotes(notes: readonly string[]): readonly Help[] {
  return notes.flatMap((note): readonly Help[] => {
    const [, begins, part, id, title, answer] = NOTE.exec(note) ?? []
    if (id === undefined || title === undefined || answer === undefined) return []
    const kind = begins === BEGINS.support ? 'support' : 'answer'
    return [{ part: Number(part), kind, article: { id, title, answer } }]
  })
}

/** A sentence that leads to an article. A title may be a question, and then needs no full stop. */
export function readMore(article: Pick<Article, 'id' | 'title'>): string {
  const sentence = `Read more: ${linkTo(article)}`
  return article.title.endsWith('?') ? sentence : `${sentence}.`
}

/** A link as the pages draw it and every other reader understands it. */
function linkTo({ id, title }: Pick<Article, 'id' | 'title'>): string {
  return `[${title}](/help#${id})`
}
