import type { Json, ToolItem } from 'throughline/client'
import { ToolCall } from '../../kit/index.ts'
import { jsonText } from './json-text.ts'
import { StatusMark } from './status-mark.tsx'
import styles from './run.module.css'
import { WORDS } from './words.ts'

/** A tool call: what it does and its state; its input and output once opened. */
export function ToolDetails({ tool }: { readonly tool: ToolItem }) {
  const { name, state, outputs } = tool
  const output = outputOf(state)
  return (
    <ToolCall
      name={name}
      input={tool.arguments}
      outcome={<StatusMark status={state.status} words={WORDS.toolStatus} />}
      hasFailed={state.status === 'failed'}
      {...(output !== undefined && { output })}
    >
      {outputs.length > 0 && <Outputs tool={tool} />}
    </ToolCall>
  )
}

function outputOf(state: ToolItem['state']): string | undefined {
  if (state.status === 'done') {
    return typeof state.result === 'string' ? state.result : jsonText(state.result)
  }
  return state.status === 'failed' ? `${WORDS.tool.error(state.code)}\n${state.error}` : undefined
}

function Outputs({ tool: { outputs, outputsDropped } }: { readonly tool: ToolItem }) {
  return (
    <div className={styles.detail}>
      <h4>{WORDS.tool.outputs}</h4>
      {outputsDropped > 0 && <p className={styles.note}>{WORDS.tool.dropped(outputsDropped)}</p>}
      {outputs.map((output: Json, at) => (
        <pre key={outputsDropped + at} className={styles.json}>
          {jsonText(output)}
        </pre>
      ))}
    </div>
  )
}
