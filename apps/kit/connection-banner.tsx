import type { ThreadPlace } from 'throughline/react'
import { Banner } from './banner.tsx'
import { Button } from './button.tsx'
import type { ThreadView } from './thread-view.ts'
import { WORDS } from './words.ts'

export interface ConnectionBannerProps {
  readonly live: Pick<ThreadPlace, 'status'> & { readonly view: Pick<ThreadView, 'origin'> }
}

/** Says when what the page shows may be out of date. */
export function ConnectionBanner({ live }: ConnectionBannerProps) {
  if (live.status === 'reconnecting') {
    return <Banner tone="warning">{WORDS.connection.reconnecting}</Banner>
  }
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
