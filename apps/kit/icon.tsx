import type { IconNode } from 'lucide'
import { createElement } from 'react'
import styles from './icon.module.css'

export interface IconProps {
  /** A drawing of lucide, imported by name: `import { Check } from 'lucide'`. */
  readonly shape: IconNode
}

/** A drawing beside words. It is hidden from screen readers, so words must say the same. */
export function Icon({ shape }: IconProps) {
  return (
    <svg className={styles.icon} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {shape.map(([tag, attributes], index) => createElement(tag, { ...attributes, key: index }))}
    </svg>
  )
}
