import type { ReactNode } from 'react'
import { createContext, useContext, useEffect, useId, useRef } from 'react'
import type { FieldError } from '../../kit/index.ts'
import { ErrorSummary } from '../../kit/index.ts'
import styles from './card-frame.module.css'

/** Parts that the page adds to the bar of the open card. */
export interface CardBar {
  /** The latest reply in one line, and the way to the conversation. */
  readonly ask: ReactNode
  /** Reads out that the customer's press is being saved. */
  readonly saving: ReactNode
  /** Whether the customer's press was not sent or was refused. */
  readonly outcome: ReactNode
  /** The way out of a card that was opened again. */
  readonly exit: ReactNode
}

const EMPTY_BAR = { ask: null, saving: null, outcome: null, exit: null }

export const CardBarContext = createContext<CardBar>(EMPTY_BAR)

/** Whether a card that takes the place of the focused one, as when its text has come, takes its focus. */
export const CardFocusContext = createContext<'taken' | 'left'>('left')

export interface CardFrameProps {
  readonly title: string
  readonly lead?: ReactNode
  /** Listed above the title; the list takes the focus. */
  readonly errors?: readonly FieldError[]
  /** With it, the card and its bar are one form. */
  readonly onSubmit?: (() => void) | undefined
  /** The card's buttons, at the bottom of the window. */
  readonly actions?: ReactNode
  readonly children?: ReactNode
}

/** Shows one card as the whole screen; focuses its heading when it replaces another card. */
export function CardFrame({ onSubmit, ...content }: CardFrameProps) {
  if (!onSubmit) {
    return (
      <div className={styles.frame}>
        <FrameContent {...content} />
      </div>
    )
  }
  return (
    <form
      className={styles.frame}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <FrameContent {...content} />
    </form>
  )
}

type FrameContentProps = Omit<CardFrameProps, 'onSubmit'>

function FrameContent({ title, lead, errors = [], actions, children }: FrameContentProps) {
  const headingId = useId()
  const heading = useHeadingFocus()
  const { ask, saving, outcome, exit } = useContext(CardBarContext)
  return (
    <>
      <main className={styles.main} aria-labelledby={headingId}>
        {errors.length > 0 && <ErrorSummary errors={errors} />}
        <header className={styles.header}>
          <h1
            ref={heading}
            id={headingId}
            className={styles.heading}
            tabIndex={-1}
            data-card-heading
          >
            {title}
          </h1>
          {lead !== undefined && <div className={styles.lead}>{lead}</div>}
        </header>
        {children}
      </main>
      <div className={styles.bar}>
        {ask}
        {saving}
        <div className={styles.actions}>
          {outcome}
          {actions}
          {exit}
        </div>
      </div>
    </>
  )
}

function useHeadingFocus() {
  const heading = useRef<HTMLHeadingElement>(null)
  const focus = useContext(CardFocusContext)
  const first = useRef(focus)
  useEffect(() => {
    const isLost = document.activeElement === document.body
    if (first.current === 'taken' && isLost) heading.current?.focus()
  }, [])
  return heading
}
