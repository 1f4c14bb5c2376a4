import { ArrowLeft } from 'lucide'
import type { ReactNode } from 'react'
import { Brand, IconButton, StepLine } from '../../kit/index.ts'
import styles from './page-header.module.css'
import { SHELL_WORDS } from './shell-words.ts'
import { STEP_NAMES } from './steps.ts'
import { isDemo } from './trust.ts'

export interface PageHeaderProps {
  /** Counted from 1; none before the case is there and after its end. */
  readonly step?: number | undefined
  /** The state of the step, or its shown part. */
  readonly state?: string | undefined
  /** Absent where no step stands before this one. */
  readonly onBack?: (() => void) | undefined
  /** Whether the case was made to show the journey to others. */
  readonly demo?: boolean
  /** The way to help. */
  readonly help?: ReactNode
  /** The notice on the page's connection. */
  readonly children?: ReactNode
}

/** Shows the current step, the way back, and the way to help. */
export function PageHeader({ step, state, onBack, demo, help, children }: PageHeaderProps) {
  return (
    <header className={styles.top}>
      <div className={styles.row}>
        <div className={styles.back}>
          {onBack && <IconButton icon={ArrowLeft} label={SHELL_WORDS.back} onClick={onBack} />}
        </div>
        <div className={styles.brand}>
          <Brand name="Clearpath" demo={demo === true || isDemo()} />
        </div>
        {help}
      </div>
      <div className={styles.where}>
        {step !== undefined && (
          <StepLine
            name={STEP_NAMES[step - 1] ?? ''}
            step={step}
            of={STEP_NAMES.length}
            {...(state === undefined ? {} : { state })}
          />
        )}
      </div>
      {children}
    </header>
  )
}
