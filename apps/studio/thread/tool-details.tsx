import type { Json, ToolItem } from 'throughline/client'
import { Disclosure } from '../../kit/index.ts'
import { jsonText } from './json-text.ts'
import { StatusMark } from './status-mark.tsx'
import styles from './run.module.css'
import { WORDS } from './words.ts'

/** A tool call: its name and state; its input and output once opened. */
export function ToolDetails({ tool }: { readonly tool: ToolItem }) {
  const { name, state, outputs } = tool
  return (
    <Disclosure
      summary={
        <>
          <code className={styles.toolName}>{name}</code>
          <StatusMark status={state.status} words={WORDS.toolStatus} />
        </>
      }
    >
      {() => (
        <dl className={styles.details}>
          <Detail name={WORDS.tool.arguments} text={jsonText(tool.arguments)} />
          {outputs.length > 0 && <Outputs tool={tool} />}
          {state.status === 'done' && (
            <Detail name={WORDS.tool.result} text={jsonText(state.result)} />
          )}
          {state.status === 'failed' && (
            <Detail name={WORDS.tool.error(state.code)} text={state.error} />
          )}
        </dl>
      )}
    </Disclosure>
  )
}

function Outputs({ tool: { outputs, outputsDropped } }: { readonly tool: ToolItem }) {
  return (
    <div className={styles.detail}>
      <dt>{WORDS.tool.outputs}</dt>
      {outputsDropped > 0 && <dd className={styles.note}>{WORDS.tool.dropped(outputsDropped)}</dd>}
      {outputs.map((output: Json, at) => (
        <dd key={outputsDropped + at}>
          <pre className={styles.json}>{jsonText(output)}</pre>
        </dd>
      ))}
    </div>
  )
}

function Detail({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div className={styles.detail}>
      <dt>{name}</dt>
      <dd>
        <pre className={styles.json}>{text === '' ? WORDS.tool.none : text}</pre>
      </dd>
    </div>
  )
}
