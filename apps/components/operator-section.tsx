import { Approval, ChecklistRow } from '../kit/index.ts'
import styles from './components.module.css'
import { Sample, Section } from './section.tsx'

const nothing = (): void => {}

export function OperatorSection() {
  return (
    <Section title="Checklist and approval">
      <Sample of="ChecklistRow" width="whole">
        <ul className={`${styles.narrow} ${styles.list}`}>
          <ChecklistRow
            name="Customer"
            status="known"
            value="Sarah Whitfield"
            given={{ by: 'model', text: 'from your message' }}
            onEdit={nothing}
          />
          <ChecklistRow name="Price" status="asks" value="£15,750 or £17,500?" onEdit={nothing} />
          <ChecklistRow name="Email" status="missing" value="Not given yet" onEdit={nothing} />
        </ul>
      </Sample>
      <Sample of="Approval" width="whole">
        <div className={styles.narrow}>
          <Approval
            question="Refund £89.00?"
            asks={{ by: 'model', text: 'desk asks. Nothing is paid until you agree.' }}
            facts={[
              { name: 'Order', value: '4711' },
              { name: 'To', value: 'The card it was paid with' },
            ]}
            reasons={[
              { key: 'policy', by: 'rule', text: 'Refunds over £50.00 need a person.' },
              { key: 'carrier', by: 'system', text: 'Left at the door, box dented.' },
            ]}
            no="No, do not refund"
            yes="Yes, refund £89.00"
            onAnswer={nothing}
            json={'{ "order": "4711", "pounds": 89 }'}
          />
        </div>
      </Sample>
    </Section>
  )
}
