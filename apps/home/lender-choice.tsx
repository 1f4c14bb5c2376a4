import type { Scenario } from './case-links.ts'
import { SCENARIOS } from './case-links.ts'
import styles from './demonstration-card.module.css'
import { WORDS } from './words.ts'

export interface LenderChoiceProps {
  readonly chosen: Scenario
  readonly onChange: (scenario: Scenario) => void
}

/** Native radio buttons, side by side, for the invented lenders' scenario. */
export function LenderChoice({ chosen, onChange }: LenderChoiceProps) {
  return (
    <fieldset>
      <legend className={styles.legend}>{WORDS.loan.scenario}</legend>
      <div className={styles.choices}>
        {SCENARIOS.map((scenario) => (
          <label key={scenario} className={styles.choice}>
            <input
              type="radio"
              name="scenario"
              value={scenario}
              checked={scenario === chosen}
              onChange={() => onChange(scenario)}
            />
            {WORDS.loan.scenarios[scenario]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
