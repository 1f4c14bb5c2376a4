import type { Wait, WaitingTurn } from 'throughline/client'
import type { LiveAgentThread } from 'throughline/react'
import { visibleText } from 'throughline/client'
import {
  Approval,
  Banner,
  Button,
  ButtonRow,
  Card,
  Form,
  ShownText,
  TextField,
} from '../../kit/index.ts'
import { argumentsOf, shownJson } from './arguments-of.ts'
import { jsonText } from './json-text.ts'
import { StopButton } from './stop-button.tsx'
import styles from './thread.module.css'
import type { Answers } from './use-answers.ts'
import { REASON, fieldOf, useAnswers } from './use-answers.ts'
import { useFocusOnLeave } from './use-focus-on-leave.ts'
import { WaitFields } from './wait-fields.tsx'
import { WORDS } from './words.ts'

export interface WaitingCardProps {
  readonly thread: LiveAgentThread
  readonly question: WaitingTurn
}

/** Shows the agents' question with an answer form. It disappears once the answer is on record. */
export function WaitingCard({ thread, question }: WaitingCardProps) {
  const { run, waits } = question
  const answers = useAnswers(thread, question)
  const part = useFocusOnLeave<HTMLDivElement>()
  const [only] = waits
  const single = waits.length === 1 && only?.reason === 'tool_approval' ? only : undefined
  const footer = (
    <>
      <Delivery answers={answers} />
      <StopButton stops={thread} run={run} label={WORDS.wait.giveUp} />
    </>
  )
  return (
    <div ref={part} className={styles.needs}>
      {single ? (
        <>
          <ToolApproval wait={single} answers={answers} />
          {footer}
        </>
      ) : (
        <Card title={WORDS.wait.heading}>
          <Form errors={answers.errors} onSubmit={answers.submit}>
            {waits.map((wait) => (
              <WaitFields key={wait.id} wait={wait} answers={answers} />
            ))}
            <ButtonRow>
              <Button type="submit" readiness={readinessOf(answers)}>
                {WORDS.wait.send}
              </Button>
            </ButtonRow>
          </Form>
          {footer}
        </Card>
      )}
    </div>
  )
}

/** One call for approval, with its tool's approval text, or else its arguments. */
function ToolApproval({ wait, answers }: { readonly wait: Wait; readonly answers: Answers }) {
  const { agent, toolName, approval } = wait
  const {
    question = WORDS.wait.approval(toolName),
    accept,
    note,
    facts,
    reasons = [],
  } = approval ?? {}
  const reason = fieldOf(wait, REASON)
  return (
    <Approval
      question={visibleText(question)}
      asks={{
        by: 'model',
        text: note === undefined ? WORDS.wait.asks(agent) : WORDS.wait.asksWith(agent, note),
      }}
      facts={shownFacts(facts, wait).map(({ label, value }) => ({
        name: label,
        value: <ShownText text={value} />,
      }))}
      reasons={reasons.map((text) => ({ key: text, by: 'rule', text }))}
      no={WORDS.wait.refuse}
      yes={accept ?? WORDS.wait.approve}
      readiness={readinessOf(answers)}
      onAnswer={(answer) => answers.decide(answer === 'yes' ? 'approve' : 'refuse')}
      json={jsonText(shownJson(wait.arguments))}
    >
      <TextField
        id={reason}
        label={WORDS.wait.reason}
        value={answers.text(reason)}
        onChange={(text) => answers.setText(reason, text)}
      />
    </Approval>
  )
}

type Facts = NonNullable<Wait['approval']>['facts']

function shownFacts(facts: Facts, wait: Wait) {
  return (
    facts?.map(({ label, value }) => ({ label, value: visibleText(value) })) ?? argumentsOf(wait)
  )
}

function Delivery({ answers: { state, retry } }: { readonly answers: Answers }) {
  if (state.status === 'open') return null
  if (state.status === 'sent') return <p role="status">{WORDS.wait.sending}</p>
  return (
    <Banner
      tone="problem"
      action={
        <Button look="quiet" onClick={retry}>
          {WORDS.wait.tryAgain}
        </Button>
      }
    >
      {WORDS.wait.notSent} {state.why}
    </Banner>
  )
}

function readinessOf({ state }: Answers): 'waiting' | 'ready' {
  return state.status === 'sent' ? 'waiting' : 'ready'
}
