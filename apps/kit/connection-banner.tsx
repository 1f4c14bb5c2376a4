import type { ThreadSnapshot } from 'throughline/react'
import { Banner } from './banner.tsx'
import { Button } from './button.tsx'
import type { ThreadView } from './thread-view.ts'
import { WORDS } from './words.ts'

/** Says when what the page shows may be out of date. */
export function ConnectionBanner({ live }: { readonly live: ThreadSnapshot<ThreadView> }) {
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
