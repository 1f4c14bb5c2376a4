import { useState } from 'react'
import {
  ChoiceField,
  DateField,
  Form,
  SelectField,
  TermChips,
  TextField,
  errorAt,
} from '../kit/index.ts'
import styles from './components.module.css'
import { Sample, Section } from './section.tsx'

const ERRORS = [{ field: 'town-wrong', message: 'Enter your town' }]

const TERMS = ['7', '10', '12', '15'].map((years) => ({
  value: years,
  figure: years,
  unit: 'years',
}))

const nothing = (): void => {}

export function FieldsSection() {
  const [town, setTown] = useState('Swindon')
  const [income, setIncome] = useState('38,000')
  const [date, setDate] = useState({ day: '4', month: '11', year: '1984' })
  return (
    <Section title="Fields and choices">
      <Sample of="TextField">
        <TextField id="town" label="Town or city" value={town} onChange={setTown} />
      </Sample>
      <Sample of="With a hint and a sign">
        <TextField
          id="income"
          label="Income in a year"
          hint="Before tax"
          kind="decimal"
          sign="£"
          value={income}
          onChange={setIncome}
        />
      </Sample>
      <Sample of="Given by someone">
        <TextField
          id="mobile"
          label="Mobile"
          kind="tel"
          given={{ by: 'person', text: 'Your installer told us this' }}
          value="07700 900 123"
          onChange={nothing}
        />
      </Sample>
      <Sample of="SelectField">
        <SelectField
          id="tenure"
          label="Your home"
          value=""
          options={[{ value: 'owner', label: 'I own it' }]}
          onChange={nothing}
        />
      </Sample>
      <Sample of="Several lines">
        <TextField id="note" label="Anything else" kind="lines" value="" onChange={nothing} />
      </Sample>
      <Sample of="DateField">
        <DateField
          id="birth"
          label="Date of birth"
          value={date}
          words={{ day: 'Day', month: 'Month', year: 'Year' }}
          onChange={setDate}
        />
      </Sample>
      <Sample of="Form with an error" width="whole">
        <Form errors={ERRORS} onSubmit={nothing}>
          <TextField
            id="town-wrong"
            label="Town or city"
            error={errorAt(ERRORS, 'town-wrong')}
            value=""
            onChange={nothing}
          />
        </Form>
      </Sample>
      <Choices />
    </Section>
  )
}

function Choices() {
  const [work, setWork] = useState<readonly string[]>(['employed'])
  const [support, setSupport] = useState<readonly string[]>(['support'])
  const [answer, setAnswer] = useState<readonly string[]>([])
  const [term, setTerm] = useState('10')
  return (
    <>
      <Sample of="ChoiceField, one of them">
        <ChoiceField
          id="work"
          kind="one"
          label="Your work"
          chosen={work}
          options={[
            { value: 'employed', label: 'Employed' },
            { value: 'retired', label: 'Retired', hint: 'Also if you work a few hours' },
          ]}
          onChange={setWork}
        />
      </Sample>
      <Sample of="ChoiceField, any of them">
        <ChoiceField
          id="support"
          kind="any"
          label="Support"
          chosen={support}
          options={[
            { value: 'support', label: 'I want support before I sign' },
            { value: 'none', label: 'None of these' },
          ]}
          onChange={setSupport}
        />
      </Sample>
      <Sample of="ChoiceField, a pair, with an error">
        <ChoiceField
          id="adult"
          kind="one"
          layout="pair"
          label="Are you 18 or over?"
          error="Choose yes or no"
          chosen={answer}
          options={[
            { value: 'yes', label: 'Yes' },
            { value: 'no', label: 'No' },
          ]}
          onChange={setAnswer}
        />
      </Sample>
      <Sample of="TermChips" width="whole">
        <div className={styles.narrow}>
          <TermChips
            id="term"
            label="How long do you want to repay?"
            terms={TERMS}
            chosen={term}
            onChange={setTerm}
          />
        </div>
      </Sample>
    </>
  )
}
