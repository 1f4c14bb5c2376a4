import { Banner } from './banner.tsx'
import { Button } from './button.tsx'
import type { Turns } from './use-turns.ts'
import { WORDS } from './words.ts'

/** Says what became of a turn that was not answered or not accepted. */
export function TurnProblem({ turns }: { readonly turns: Turns }) {
  const { sending, answer, retry } = turns
  if (sending.status === 'failed') {
    const modelFailed = sending.error.problem?.code === 'model_failed'
    return (
      <Banner
        tone="warning"
        action={
          <Button look="secondary" onClick={() => void retry()}>
            {WORDS.turn.tryAgain}
          </Button>
        }
      >
        {modelFailed ? WORDS.turn.modelFailed : WORDS.turn.failed}
      </Banner>
    )
  }
  if (sending.status === 'idle' && answer && answer.refused.length > 0) {
    return <Banner tone="warning">{WORDS.turn.refused}</Banner>
  }
  return null
}
