import { RefreshCw } from 'lucide'
import { useEffect, useRef } from 'react'
import type { ThreadPlace } from 'throughline/react'
import { Banner } from './banner.tsx'
import styles from './banner.module.css'
import { Button } from './button.tsx'
import { Strip } from './strip.tsx'
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
        <Button look="quiet" onClick={() => location.reload()}>
          {WORDS.connection.reload}
        </Button>
      }
    >
      {WORDS.connection.restarted}
    </Banner>
  )
}

/** Stays in view at any scroll position, and does not cover the focused element. */
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
      <Strip tone="warning" icon={RefreshCw}>
        {WORDS.connection.reconnecting}
      </Strip>
    </div>
  )
}
