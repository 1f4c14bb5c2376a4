import { useEffect, useState } from 'react'
import { Card, ChoiceField } from '../kit/index.ts'
import { LOOKS, applyLook, lookInAddress, writeLook } from './look.ts'
import type { Look } from './look.ts'
import styles from './components.module.css'

const QUESTIONS = { density: 'Density', scheme: 'Colours', contrast: 'Forced colours' } as const

/** Shows the page as people with other settings see it. The address keeps the choice. */
export function LookSwitch() {
  const [look, setLook] = useState(lookInAddress)
  useEffect(() => {
    applyLook(look)
    writeLook(look)
  }, [look])
  const choose = (part: keyof Look, value: string | undefined): void => {
    if (value !== undefined) setLook({ ...look, [part]: value })
  }
  return (
    <Card title="Look">
      <div className={styles.samples}>
        {(['density', 'scheme', 'contrast'] as const).map((part) => (
          <ChoiceField
            key={part}
            id={part}
            kind="one"
            label={QUESTIONS[part]}
            chosen={[look[part]]}
            options={LOOKS[part].map((value) => ({ value, label: value }))}
            onChange={([value]) => choose(part, value)}
          />
        ))}
      </div>
    </Card>
  )
}
