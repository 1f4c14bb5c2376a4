import type { Wait, Waiting } from 'throughline/activity'
import type { LiveAgentThread } from 'throughline/react'
import { Banner, Button, ButtonRow, Card, Form, TextField } from '../../kit/index.ts'
import { StopButton } from './stop-button.tsx'
import styles from './thread.module.css'
import type { Answers } from './use-answers.ts'
import { REASON, fieldOf, useAnswers } from './use-answers.ts'
import { useFocusOnLeave } from './use-focus-on-leave.ts'
import { WaitFields, WaitIntroduction } from './wait-fields.tsx'
import { WORDS } from './words.ts'

export interface WaitingCardProps {
  readonly thread: LiveAgentThread
  readonly question: Waiting
}

/** What the agents ask, and a place to answer it. It goes once the answer is on record. */
export function WaitingCard({ thread, question }: WaitingCardProps) {
  const { run, waits } = question
  const answers = useAnswers(thread, question)
  const part = useFocusOnLeave<HTMLDivElement>()
  const [only] = waits
  const single = waits.length === 1 && only?.reason === 'tool_approval' ? only : undefined
  return (
    <div ref={part} className={styles.needs}>
      <Card title={WORDS.wait.heading}>
        {single ? (
          <Approval wait={single} answers={answers} />
        ) : (
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
        )}
        <Delivery answers={answers} />
        <StopButton stops={thread} run={run} label={WORDS.wait.giveUp} />
      </Card>
    </div>
  )
}

/** One question with two answers of equal weight. */
function Approval({ wait, answers }: { readonly wait: Wait; readonly answers: Answers }) {
  const reason = fieldOf(wait, REASON)
  const readiness = readinessOf(answers)
  return (
    <>
      <WaitIntroduction wait={wait} />
      <TextField
        id={reason}
        label={WORDS.wait.reason}
        value={answers.text(reason)}
        onChange={(text) => answers.setText(reason, text)}
      />
      <ButtonRow>
        <Button look="secondary" readiness={readiness} onClick={() => answers.decide('approve')}>
          {WORDS.wait.approve}
        </Button>
        <Button look="secondary" readiness={readiness} onClick={() => answers.decide('refuse')}>
          {WORDS.wait.refuse}
        </Button>
      </ButtonRow>
    </>
  )
}

function Delivery({ answers: { state, retry } }: { readonly answers: Answers }) {
  if (state.status === 'open') return null
  if (state.status === 'sent') return <p role="status">{WORDS.wait.sending}</p>
  return (
    <Banner
      tone="problem"
      action={
        <Button look="secondary" onClick={retry}>
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
