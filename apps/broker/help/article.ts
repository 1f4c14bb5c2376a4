/** One question that people ask, with what we answer. Its id is its anchor on the help page. */
export interface Article {
  readonly id: string
  readonly title: string
  /** The assistant quotes this: a few sentences that need no context. */
  readonly answer: string
  /** Paragraphs that only the help page adds. */
  readonly more?: readonly string[]
  /** How people ask for it in their own words. */
  readonly asked: readonly string[]
}

/** An article for a person in difficulty. It comes before every other answer. */
export interface SupportArticle extends Article {
  /** Words of people who need it, in lower case. */
  readonly signs: RegExp
}

export interface ArticleGroup {
  readonly title: string
  readonly articles: readonly Article[]
}
