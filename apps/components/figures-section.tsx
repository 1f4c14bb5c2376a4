import { Banknote, CalendarClock } from 'lucide'
import { Comparison, KeyFigures, SummaryList, moneyWithPence } from '../kit/index.ts'
import styles from './components.module.css'
import { Sample, Section } from './section.tsx'

const nothing = (): void => {}

export function FiguresSection() {
  return (
    <Section title="Figures">
      <Sample of="KeyFigures" width="whole">
        <div className={styles.narrow}>
          <KeyFigures
            payment={197.71}
            per="a month for 10 years"
            rate="9.15% APR"
            rateNote="representative"
            borrowed={{ name: 'You borrow', pounds: 15_750 }}
            interest={{ name: 'Interest', pounds: 7_975.2 }}
            total={{ name: 'Total you repay', pounds: 23_725.2 }}
          />
        </div>
      </Sample>
      <Sample of="Comparison" width="whole">
        <div className={styles.narrow}>
          <Comparison
            caption="What you asked for and what Second Bank offers"
            differences={[
              {
                key: 'total',
                icon: Banknote,
                words: (
                  <>
                    You repay <b>£1,464.00 more</b> in total
                  </>
                ),
              },
              {
                key: 'term',
                icon: CalendarClock,
                words: (
                  <>
                    You repay for <b>2 more years</b>
                  </>
                ),
              },
            ]}
            columns={['You asked for', 'Second Bank offers']}
            rows={[
              { name: 'A month', values: ['£197.71', '£174.92'] },
              { name: 'Years', values: ['10', '12'] },
              { name: 'APR', values: ['9.15%', '9.90%'] },
              { name: 'Total', values: [moneyWithPence(23_725.2), moneyWithPence(25_189.2)] },
            ]}
          />
        </div>
      </Sample>
      <Sample of="SummaryList" width="whole">
        <div className={styles.narrow}>
          <SummaryList
            rows={[
              { name: 'Name', value: 'Sarah Whitfield', onChange: nothing },
              { name: 'Home', value: '14 Cricklade Road, Swindon SN2 8AA', onChange: nothing },
              { name: 'Reference', value: 'TH-4711' },
            ]}
          />
        </div>
      </Sample>
    </Section>
  )
}
