import type { Wait } from 'throughline/client'
import { ChoiceField, TextField, errorAt } from '../../kit/index.ts'
import { shownJson } from './arguments-of.ts'
import { jsonText } from './json-text.ts'
import styles from './thread.module.css'
import runStyles from './run.module.css'
import type { Answers } from './use-answers.ts'
import { REASON, VERDICT, fieldOf } from './use-answers.ts'
import { WORDS } from './words.ts'

const VERDICTS = [
  { value: 'approve', label: WORDS.wait.approve },
  { value: 'refuse', label: WORDS.wait.refuse },
]

export interface WaitFieldsProps {
  readonly wait: Wait
  readonly answers: Answers
}

/** The fields that answer one question. */
export function WaitFields({ wait, answers }: WaitFieldsProps) {
  const text = (name: string, label: string) => {
    const id = fieldOf(wait, name)
    return {
      id,
      label,
      value: answers.text(id),
      error: errorAt(answers.errors, id),
      onChange: (value: string) => answers.setText(id, value),
    }
  }
  const verdict = text(VERDICT, WORDS.wait.decision)
  return (
    <div className={styles.question}>
      <WaitIntroduction wait={wait} />
      {wait.reason === 'tool_approval' ? (
        <>
          <ChoiceField
            {...verdict}
            kind="one"
            options={VERDICTS}
            chosen={[verdict.value]}
            onChange={([value = '']) => verdict.onChange(value)}
          />
          <TextField {...text(REASON, WORDS.wait.reason)} />
        </>
      ) : (
        Object.entries(wait.requestKeys).map(([name, label]) =>
          wait.reason === 'client_tool' ? (
            <TextField
              key={name}
              {...text(name, WORDS.wait.result(wait.toolName))}
              hint={WORDS.wait.resultHint}
              kind="lines"
            />
          ) : (
            <TextField key={name} {...text(name, label)} />
          ),
        )
      )}
    </div>
  )
}

/** The agent that asks, its question, and the arguments that an answer is bound to. */
function WaitIntroduction({ wait }: { readonly wait: Wait }) {
  const given = jsonText(shownJson(wait.arguments))
  return (
    <div className={styles.introduction}>
      <p>{sentenceOf(wait)}</p>
      {given !== '{}' && <pre className={runStyles.json}>{given}</pre>}
    </div>
  )
}

function sentenceOf({ reason, agent, toolName, approval }: Wait): string {
  switch (reason) {
    case 'tool_approval':
      return `${approval?.question ?? WORDS.wait.approval(toolName)} ${WORDS.wait.asks(agent)}`
    case 'input_required':
      return WORDS.wait.values(agent, toolName)
    case 'client_tool':
      return WORDS.wait.clientTool(agent, toolName)
  }
}
