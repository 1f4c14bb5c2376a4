import { useContext } from 'react'
import { ErasureStrip } from './erasure-strip.tsx'
import type { ErasureStripProps } from './erasure-strip.tsx'
import styles from './personal-data.module.css'
import { PersonalDataStrip } from './personal-data-strip.tsx'
import { ThreadContext } from './thread-context.ts'
import type { Revealing } from './use-reveal.ts'

export interface StripsProps extends ErasureStripProps {
  readonly revealing: Revealing
}

/** What may be done about the person of the thread: erase, reveal. After an erasure nothing is left to reveal. */
export function Strips({ revealing, ...props }: StripsProps) {
  const { description, personalData } = useContext(ThreadContext)
  const { erasedAt, onSelect } = props
  const isHidden = personalData === 'hidden' || revealing.reveal.status === 'shown'
  return (
    <div className={styles.strips}>
      {(erasedAt !== undefined || description.erasable === true) && <ErasureStrip {...props} />}
      {description.revealedBy !== undefined && isHidden && erasedAt === undefined && (
        <PersonalDataStrip {...revealing} type={description.revealedBy} onSelect={onSelect} />
      )}
    </div>
  )
}
