import { useState } from 'react'
import type { Json } from 'throughline/client'
import { textOf, visibleText } from 'throughline/client'
import { Button } from './button.tsx'
import type { ChangedLine } from './changed-lines.ts'
import { CopyButton } from './copy-button.tsx'
import styles from './tool-call.module.css'
import { WORDS } from './words.ts'

/** Lines that are shown at first, and all of them on request. */
const OUTPUT_LINES_SHOWN = 9
const CHANGED_LINES_SHOWN = 40

export interface ToolCallBodyProps {
  readonly name: string
  readonly input: Json
  readonly output: string | undefined
  readonly isCut: boolean
  readonly changes: readonly ChangedLine[] | undefined
  /** The command, file or name that regions are named after. */
  readonly object: string
}

/** What a call was given, and what came of it. */
export function ToolCallBody(props: ToolCallBodyProps) {
  const { name, input, output, isCut, changes, object } = props
  return (
    <div className={styles.frame}>
      {changes ? <Changes lines={changes} object={object} /> : <Given name={name} input={input} />}
      {output !== undefined && <Output text={output} object={object} isCut={isCut} />}
    </div>
  )
}

function Given({ name, input }: Pick<ToolCallBodyProps, 'name' | 'input'>) {
  const command = name === 'Bash' ? textOf(input, 'command') : ''
  if (command === '') {
    return (
      <pre className={styles.lines} tabIndex={0} role="region" aria-label={WORDS.call.input}>
        {JSON.stringify(input, null, 2)}
      </pre>
    )
  }
  return (
    <div className={styles.command}>
      <span aria-hidden="true">$</span>
      <code dir="ltr">{visibleText(command)}</code>
      <CopyButton text={command} look="bare" name={WORDS.call.command} />
    </div>
  )
}

interface OutputProps extends Pick<ToolCallBodyProps, 'isCut' | 'object'> {
  readonly text: string
}

function Output({ text, object, isCut }: OutputProps) {
  const [isWhole, setWhole] = useState(false)
  if (text.trim() === '') return <p className={styles.foot}>{WORDS.call.noOutput}</p>
  const lines = text.trimEnd().split('\n')
  const shown = isWhole ? lines : lines.slice(-OUTPUT_LINES_SHOWN)
  return (
    <>
      <pre
        className={styles.lines}
        tabIndex={0}
        role="region"
        aria-label={WORDS.call.outputOf(object)}
      >
        {shown.join('\n')}
      </pre>
      <p className={styles.foot}>
        {shown.length < lines.length && (
          <>
            <span>{WORDS.call.lastLines(shown.length, lines.length)}</span>
            <Button look="bare" onClick={() => setWhole(true)}>
              {WORDS.call.showAll(lines.length)}
            </Button>
          </>
        )}
        {isCut && <span>{WORDS.call.cut}</span>}
        <CopyButton text={text} look="bare" name={WORDS.call.output} />
      </p>
    </>
  )
}

const SIGNS = { added: '+', removed: '−', same: ' ' } as const

function Changes({
  lines,
  object,
}: {
  readonly lines: readonly ChangedLine[]
  readonly object: string
}) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? lines : lines.slice(0, CHANGED_LINES_SHOWN)
  return (
    <>
      <pre
        className={styles.lines}
        tabIndex={0}
        role="region"
        aria-label={WORDS.call.changeIn(object)}
      >
        {shown.map(({ change, text }, at) => (
          <span key={at} className={styles[change]}>
            {`${SIGNS[change]} ${text}\n`}
          </span>
        ))}
      </pre>
      {shown.length < lines.length && (
        <p className={styles.foot}>
          <span>{WORDS.call.firstLines(shown.length, lines.length)}</span>
          <Button look="bare" onClick={() => setWhole(true)}>
            {WORDS.call.showAll(lines.length)}
          </Button>
        </p>
      )}
    </>
  )
}
