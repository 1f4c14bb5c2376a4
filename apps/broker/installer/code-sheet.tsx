import { useState } from 'react'
import { Button, CopyField, Note, Sheet } from '../../kit/index.ts'
import type { SheetState } from '../../kit/index.ts'
import { QrCode } from './qr-code.tsx'
import styles from './qr-code.module.css'
import { WORDS } from './words.ts'

export interface CodeSheetProps {
  readonly sheet: SheetState
  /** The customer's first name, or nothing while it is unknown. */
  readonly name: string | undefined
  readonly link: string
}

/** Hands the link over: by the phone's camera, by the share sheet, or copied. */
export function CodeSheet({ sheet, name, link }: CodeSheetProps) {
  const words = WORDS.link
  const [isShared, setShared] = useState<'no' | 'failed'>('no')
  const share = (): void => {
    setShared('no')
    navigator.share({ url: link }).catch((error: unknown) => {
      // Closing the share sheet is no failure.
      const isClosed = error instanceof DOMException && error.name === 'AbortError'
      if (!isClosed) setShared('failed')
    })
  }
  return (
    <Sheet sheet={sheet} title={words.handOver(name)} note={words.camera} place="middle">
      <div className={styles.sheet}>
        <QrCode text={link} label={words.code} />
        {'share' in navigator && (
          <Button look="equal" onClick={share}>
            {words.share}
          </Button>
        )}
        <p role="status">{isShared === 'failed' ? words.notShared : ''}</p>
        <CopyField label={words.copy} text={link} />
        <Note>{words.only}</Note>
      </div>
    </Sheet>
  )
}
