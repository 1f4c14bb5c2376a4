import type { ArticleGroup } from './article.ts'
import { APPLYING_ARTICLES } from './articles/applying.ts'
import { COST_ARTICLES } from './articles/cost.ts'
import { CREDIT_ARTICLES } from './articles/credit.ts'
import { DIFFICULTY_ARTICLES } from './articles/difficulty.ts'
import { INSTALLER_ARTICLES } from './articles/installer.ts'
import { LENDER_ARTICLES } from './articles/lenders.ts'

export const CUSTOMER_GROUPS: readonly ArticleGroup[] = [
  { title: 'When things are hard', articles: DIFFICULTY_ARTICLES },
  { title: 'Your application', articles: APPLYING_ARTICLES },
  { title: 'What it costs', articles: COST_ARTICLES },
  { title: 'Credit searches and decisions', articles: CREDIT_ARTICLES },
  { title: 'Lenders and your rights', articles: LENDER_ARTICLES },
]

/** Every article, in the order of the help page. */
export const ARTICLE_GROUPS: readonly ArticleGroup[] = [
  ...CUSTOMER_GROUPS,
  { title: 'For installers', articles: INSTALLER_ARTICLES },
]
