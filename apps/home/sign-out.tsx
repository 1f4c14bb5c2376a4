import { useState } from 'react'
import { ClientError } from 'throughline/client'
import { Banner, Button } from '../kit/index.ts'
import { signOut } from './operator.ts'
import { WORDS } from './words.ts'

export function SignOut({ onSignedOut }: { readonly onSignedOut: () => void }) {
  const [hasFailed, setFailed] = useState(false)
  const leave = (): void => {
    signOut().then(onSignedOut, (error: unknown) => {
      if (error instanceof ClientError) setFailed(true)
    })
  }
  return (
    <div>
      {hasFailed && <Banner tone="problem">{WORDS.signOut.failed}</Banner>}
      <p>{WORDS.signOut.text}</p>
      <Button look="quiet" onClick={leave}>
        {WORDS.signOut.signOut}
      </Button>
    </div>
  )
}
