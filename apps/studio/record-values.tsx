import { useContext } from 'react'
import { membersOf } from 'throughline/client'
import { SummaryList } from '../kit/index.ts'
import { inWords, plainValue, sentenceCase } from './story/index.ts'
import type { Told } from './story/index.ts'
import { ThreadContext } from './thread-context.ts'
import { WORDS } from './words.ts'

/** Values that are listed; the JSON holds all of them. */
const VALUES_MAX = 40

/** Shows the values of a record under their names. */
export function RecordValues({ told: { payload } }: { readonly told: Told }) {
  const { memberWords, valueInWords } = useContext(ThreadContext).description
  const rows = Object.entries(membersOf(payload)).flatMap(([member, value = null]) => {
    const words = valueInWords?.(member, value) ?? plainValue(value)
    const name = sentenceCase(memberWords?.get(member) ?? inWords(member))
    return words === '' ? [] : [{ name, value: words }]
  })
  if (rows.length === 0) return null
  return (
    <section>
      <h3>{WORDS.values}</h3>
      <SummaryList rows={rows.slice(0, VALUES_MAX)} />
    </section>
  )
}
