import { Button } from '../../kit/index.ts'
import { useFocusOnLeave } from './use-focus-on-leave.ts'

export interface ShowEarlierProps {
  readonly label: string
  readonly onShow: () => void
}

/** Draws more of the earlier items. */
export function ShowEarlier({ label, onShow }: ShowEarlierProps) {
  const part = useFocusOnLeave<HTMLDivElement>()
  return (
    <div ref={part}>
      <Button look="quiet" onClick={onShow}>
        {label}
      </Button>
    </div>
  )
}
