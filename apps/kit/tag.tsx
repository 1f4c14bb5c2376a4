import type { IconNode } from 'lucide'
import { Icon } from './icon.tsx'
import styles from './tag.module.css'

export interface TagProps {
  readonly tone?: 'plain' | 'outline' | 'ok' | 'warning' | 'problem' | 'note'
  readonly icon?: IconNode
  readonly children: string
}

/** A state in a word or two. The word says it; colour and icon repeat it. */
export function Tag({ tone = 'plain', icon, children }: TagProps) {
  return (
    <span className={`${styles.tag} ${styles[tone]}`}>
      {icon && <Icon shape={icon} />}
      {children}
    </span>
  )
}
