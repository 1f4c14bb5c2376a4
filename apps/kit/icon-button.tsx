import type { IconNode } from 'lucide'
import { Icon } from './icon.tsx'
import styles from './icon-button.module.css'

export interface IconButtonProps {
  readonly icon: IconNode
  /** The button's action, for screen readers. */
  readonly label: string
  readonly onClick: () => void
}

export function IconButton({ icon, label, onClick }: IconButtonProps) {
  return (
    <button type="button" className={styles.button} aria-label={label} onClick={onClick}>
      <Icon shape={icon} />
    </button>
  )
}
