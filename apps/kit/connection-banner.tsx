import { useEffect, useRef } from 'react'
import type { ThreadPlace } from 'throughline/react'
import { Banner } from './banner.tsx'
import styles from './banner.module.css'
import { Button } from './button.tsx'
import type { ThreadView } from './thread-view.ts'
import { WORDS } from './words.ts'

export interface ConnectionBannerProps {
  readonly live: Pick<ThreadPlace, 'status'> & { readonly view: Pick<ThreadView, 'origin'> }
}

/** Says when what the page shows may be out of date. */
export function ConnectionBanner({ live }: ConnectionBannerProps) {
  if (live.status === 'reconnecting') return <ConnectionLost />
  if (live.view.origin === 'log') return null
  return (
    <Banner
      tone="warning"
      action={
        <Button look="secondary" onClick={() => location.reload()}>
          {WORDS.connection.reload}
        </Button>
      }
    >
      {WORDS.connection.restarted}
    </Banner>
  )
}

/** Stays in view however far one has scrolled, and does not cover what has the focus. */
function ConnectionLost() {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const [focused, banner] = [document.activeElement, box.current?.getBoundingClientRect()]
    if (!focused || !banner || focused === document.body) return
    const { top, bottom } = focused.getBoundingClientRect()
    if (top < banner.bottom && bottom > 0) focused.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={box} className={styles.stays}>
      <Banner tone="warning">{WORDS.connection.reconnecting}</Banner>
    </div>
  )
}
