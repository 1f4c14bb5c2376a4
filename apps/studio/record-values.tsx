import { membersOf } from 'throughline/json'
import type { Told } from '../broker/audit/story.ts'
import { memberInWords } from '../broker/audit/sentence.ts'
import { valueInWords } from '../broker/audit/values.ts'
import { SummaryList } from '../kit/index.ts'
import { WORDS } from './words.ts'

/** Values that are listed; the JSON holds all of them. */
const VALUES_MAX = 40

/** What a record holds, each value under its name. */
export function RecordValues({ told: { payload } }: { readonly told: Told }) {
  const rows = Object.entries(membersOf(payload)).flatMap(([member, value]) => {
    const words = valueInWords(member, value)
    return words === '' ? [] : [{ name: sentenceCase(memberInWords(member)), value: words }]
  })
  if (rows.length === 0) return null
  return (
    <section>
      <h3>{WORDS.values}</h3>
      <SummaryList rows={rows.slice(0, VALUES_MAX)} />
    </section>
  )
}

function sentenceCase(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
