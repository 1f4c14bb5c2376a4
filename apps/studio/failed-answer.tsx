import { Button } from '../kit/index.ts'
import { WORDS } from './words.ts'

export interface FailedAnswerProps {
  readonly children: string
  readonly onAgain: () => void
}

/** Says what could not be read, and asks for it again. */
export function FailedAnswer({ children, onAgain }: FailedAnswerProps) {
  return (
    <>
      <p role="alert">{children}</p>
      <div>
        <Button look="quiet" onClick={onAgain}>
          {WORDS.tryAgain}
        </Button>
      </div>
    </>
  )
}
