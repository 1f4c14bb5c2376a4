import { StatusLine, StepLine, Timeline } from '../kit/index.ts'
import type { TimelineItem } from '../kit/index.ts'
import styles from './components.module.css'
import { Sample, Section } from './section.tsx'

const LENDERS: readonly TimelineItem[] = [
  {
    key: 'first',
    status: 'done',
    title: 'First Bank said no',
    when: '10:41',
    text: 'Your loan is larger than they lend.',
  },
  {
    key: 'second',
    status: 'now',
    title: 'Second Bank is looking',
    when: 'asked at 10:41',
  },
  { key: 'third', status: 'later', title: 'Third Bank' },
]

export function ProgressSection() {
  return (
    <Section title="Progress">
      <Sample of="StepLine, first">
        <StepLine name="About us" step={1} of={8} />
      </Sample>
      <Sample of="StepLine, third">
        <StepLine name="Your payments" step={3} of={8} />
      </Sample>
      <Sample of="StepLine, last">
        <StepLine name="Decision" step={8} of={8} />
      </Sample>
      <Sample of="Timeline" width="whole">
        <div className={styles.narrow}>
          <Timeline items={LENDERS} />
        </div>
      </Sample>
      <Sample of="StatusLine" width="whole">
        <StatusLine>Saved at 10:31: £197.71 a month for 10 years.</StatusLine>
      </Sample>
    </Section>
  )
}
