import type { DisclosureRecord } from '../case/state.ts'
import { Disclosure, SummaryList, dateTime, duration } from '../../kit/index.ts'
import { ShownText } from './shown-text-view.tsx'
import styles from './panes.module.css'
import { inWords } from '../../studio/story/index.ts'
import { FileSection, FoundRecord, ItemList } from '../../studio/index.ts'
import type { Records } from '../../studio/index.ts'
import { WORDS } from './words.ts'

const WORDED = WORDS.disclosures

export interface DisclosuresSectionProps {
  readonly disclosures: readonly DisclosureRecord[]
  readonly records: Records
}

export function DisclosuresSection({ disclosures, records }: DisclosuresSectionProps) {
  return (
    <FileSection title={WORDED.title(disclosures.length)} wanted="closed">
      {() => (
        <ItemList>
          {disclosures.map((shown) => (
            <li key={shown.id}>
              <h3 className={styles.sentenceCase}>{inWords(shown.id)}</h3>
              <SummaryList rows={rowsOf(shown, records)} />
              <Disclosure summary={WORDS.shown.open(shown.version ?? 0)}>
                {() => (
                  <ShownText
                    shown={{
                      id: shown.id,
                      version: shown.version,
                      contentHash: shown.contentHash ?? '',
                    }}
                  />
                )}
              </Disclosure>
            </li>
          ))}
        </ItemList>
      )}
    </FileSection>
  )
}

function rowsOf(shown: DisclosureRecord, records: Records) {
  const { id, presentedAt, acknowledgedAt, bound } = shown
  const presented = Date.parse(presentedAt)
  return [
    { name: WORDED.presented, value: dateTime(presented) },
    {
      name: WORDED.acknowledged,
      value:
        acknowledgedAt === undefined ? WORDED.unacknowledged : dateTime(Date.parse(acknowledgedAt)),
    },
    ...(acknowledgedAt === undefined
      ? []
      : [
          { name: WORDED.read, value: duration(Date.parse(acknowledgedAt) - presented) },
          { name: WORDED.bound, value: WORDED.isBound(bound) },
        ]),
    {
      name: WORDS.file.record,
      value: <FoundRecord records={records} type="present_disclosure" members={{ id }} />,
    },
  ]
}
