import { expect, test } from 'vitest'
import { answersTo } from '../narrator/answers.ts'
import { helpFor, readMore } from '../narrator/help-notes.ts'
import { ARTICLE_GROUPS, supportIn } from './index.ts'
import { CUSTOMER_QUESTIONS, DIFFICULTIES, INSTALLER_QUESTIONS } from './questions.fixture.ts'

const articles = ARTICLE_GROUPS.flatMap((group) => group.articles)

test('each article has an id of its own, a question as its title and an answer that is short', () => {
  expect(articles.length).toBeGreaterThanOrEqual(45)
  expect(new Set(articles.map(({ id }) => id)).size).toBe(articles.length)
  for (const { id, title, answer } of articles) {
    expect(id).toMatch(/^[a-z0-9-]+$/)
    expect(title).not.toMatch(/[\]["]/)
    expect(answer).not.toMatch(/[!\]\n]/)
    expect(answer.length).toBeLessThan(320)
  }
})

test('no article states a rate, a payment or a price', () => {
  const all = articles.map(({ answer, more = [] }) => [answer, ...more].join(' ')).join(' ')
  expect(all).not.toMatch(/£|\d\s?%/)
})

test('[surfaces 53] ordinary questions of customers find their article', () => {
  const found = CUSTOMER_QUESTIONS.filter(([said, ...ids]) =>
    ids.includes(helpFor(said, 'customer')[0]?.article.id ?? ''),
  )
  expect(CUSTOMER_QUESTIONS.length).toBeGreaterThanOrEqual(60)
  expect(found.length).toBeGreaterThanOrEqual(57)
})

const AT_QUOTE = { gate: 'quote', status: 'quote_ready', outcome: 'none' }

test.each(
  CUSTOMER_QUESTIONS.filter(([said, ...ids]) =>
    ids.includes(helpFor(said, 'customer')[0]?.article.id ?? ''),
  ),
)('[surfaces 53] "%s" is answered, and the answer links its article', (said) => {
  const help = helpFor(said, 'customer')
  const [answer] = answersTo({ said, where: AT_QUOTE, help, figures: '' })
  expect(answer).toContain(help[0] && readMore(help[0].article))
})

test.each(DIFFICULTIES)('[surfaces 54] "%s" gets the article "%s" first', (said, id) => {
  const help = helpFor(said, 'customer')
  expect(help[0]).toMatchObject({ kind: 'support', article: { id } })
  const [answer] = answersTo({ said, where: AT_QUOTE, help, figures: '' })
  expect(answer?.startsWith(help[0]?.article.answer ?? 'nothing')).toBe(true)
})

test.each(INSTALLER_QUESTIONS)(
  '[surfaces 53] an installer who asks "%s" gets the article "%s"',
  (said, ...ids) => {
    expect(ids).toContain(helpFor(said, 'installer')[0]?.article.id)
  },
)

test.each([
  'what is the capital of France?',
  'write me a poem about the sea',
  'will it snow?',
  'thanks',
  '',
])('"%s" finds no article', (said) => {
  expect(helpFor(said, 'customer')).toEqual([])
  expect(helpFor(said, 'installer')).toEqual([])
})

test.each([
  'Dzień dobry, nie rozumiem, co mam zrobić?',
  'ਮੈਨੂੰ ਸਮਝ ਨਹੀਂ ਆਇਆ',
  'Hola, ¿puedo hablar con alguien por favor? no entiendo para que está',
])('"%s" is answered with the article on languages', (said) => {
  expect(helpFor(said, 'customer')[0]?.article.id).toBe('language')
})

test('several questions of one message are each answered, in their order', () => {
  const said = 'What is APR? Can I pay it off early? Who sees my data?'
  const help = helpFor(said, 'customer')
  const answers = answersTo({ said, where: AT_QUOTE, help, figures: '' })
  expect(help.map(({ part, article }) => [part, article.id])).toEqual([
    [1, 'apr'],
    [2, 'early-repayment'],
    [3, 'who-sees-data'],
  ])
  expect(answers).toHaveLength(3)
})

test('a message of emoji alone, of abuse or of 4,000 characters gets a sensible answer', () => {
  const answer = (said: string) =>
    answersTo({ said, where: AT_QUOTE, help: helpFor(said, 'customer'), figures: '' }).join(' ')
  expect(answer('🙂🙂👍')).toMatch(/in a few words/)
  expect(answer('you fucking idiots')).toMatch(/^I am sorry that this has made you angry/)
  expect(answer(`${'I went to the shop. '.repeat(195)}What is APR?`)).toMatch(/message of its own/)
  expect(helpFor('What is APR? '.repeat(300), 'customer')).toHaveLength(8)
})

test('supportIn names the most urgent need', () => {
  expect(supportIn('I am in debt and I can’t go on')?.id).toBe('crisis')
})
