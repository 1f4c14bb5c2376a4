import { CircleCheck } from 'lucide'
import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import styles from './status-line.module.css'

/** Says what the server has recorded. Empty until there is something; each change is read out. */
export function StatusLine({ children }: { readonly children?: ReactNode }) {
  return (
    <p className={styles.line} role="status">
      {children && (
        <>
          <Icon shape={CircleCheck} />
          <span>{children}</span>
        </>
      )}
    </p>
  )
}
