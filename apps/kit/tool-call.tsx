import { ChevronRight } from 'lucide'
import type { ReactNode } from 'react'
import { useState } from 'react'
import type { Json } from 'throughline/client'
import { visibleText } from 'throughline/client'
import { changedLines } from './changed-lines.ts'
import type { ChangedLine } from './changed-lines.ts'
import { Icon } from './icon.tsx'
import { ToolCallBody } from './tool-call-body.tsx'
import { callWords } from './tool-call-words.ts'
import type { CallWords } from './tool-call-words.ts'
import styles from './tool-call.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'
import { WORDS } from './words.ts'

export interface ToolCallProps {
  readonly name: string
  readonly input: Json
  /** How the call stands, such as `Failed`. */
  readonly outcome?: ReactNode
  readonly hasFailed?: boolean
  /** The time that it took. */
  readonly time?: ReactNode
  /** Absent while it runs. */
  readonly output?: string
  /** The output is only a beginning. */
  readonly isCut?: boolean
  /** Instead of what the tool's name and its input say. */
  readonly words?: CallWords
  /** The work of the agents that the call asked, and links to what it made. */
  readonly children?: ReactNode
}

/** A call of an agent's tool in one line; its command, change and output once it is opened. */
export function ToolCall(props: ToolCallProps) {
  const { name, input, outcome, hasFailed = false, time, output, isCut = false, children } = props
  const { icon, verb, object, objectIs } = props.words ?? callWords(name, input)
  const changes = changedLines(name, input)
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      className={`${styles.call} ${hasFailed ? styles.failed : ''}`}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className={styles.summary}>
        <Icon shape={icon} />
        <span className={styles.what} title={object}>
          <b>{verb}</b>{' '}
          {objectIs === 'code' ? <code dir="ltr">{visibleText(object)}</code> : visibleText(object)}
        </span>
        <span className={styles.outcome}>
          {changes && <Count lines={changes} />}
          {outcome}
        </span>
        <span className={styles.time}>{time}</span>
        <span className={styles.turning}>
          <Icon shape={ChevronRight} />
        </span>
      </summary>
      {isOpen && (
        <div className={styles.body}>
          <ToolCallBody
            isCut={isCut}
            name={name}
            input={input}
            output={output}
            changes={changes}
            object={object}
          />
          {children !== undefined && <div className={styles.inner}>{children}</div>}
        </div>
      )}
    </details>
  )
}

function Count({ lines }: { readonly lines: readonly ChangedLine[] }) {
  const count = (change: ChangedLine['change']) =>
    lines.filter((line) => line.change === change).length
  const [added, removed] = [count('added'), count('removed')]
  return (
    <span className={styles.count}>
      <span aria-hidden="true">
        <ins>+{added}</ins> {removed > 0 && <del>−{removed}</del>}
      </span>
      <VisuallyHidden>{WORDS.call.lines(added, removed)}</VisuallyHidden>
    </span>
  )
}
