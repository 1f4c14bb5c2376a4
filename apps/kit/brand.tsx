import styles from './brand.module.css'
import { Tag } from './tag.tsx'
import { WORDS } from './words.ts'

export interface BrandProps {
  /** Clearpath is the broker that customers meet, Throughline the system that operators use. */
  readonly name: 'Clearpath' | 'Throughline'
  /** The link of the mark, if it is one. */
  readonly href?: string
  readonly demo?: boolean
}

export function Brand({ name, href, demo = false }: BrandProps) {
  const content = (
    <>
      <svg className={styles.mark} viewBox="0 0 28 28" aria-hidden="true" focusable="false">
        {name === 'Clearpath' ? <ClearpathMark /> : <ThroughlineMark />}
      </svg>
      {name}
      {demo && <Tag tone="outline">{WORDS.demo}</Tag>}
    </>
  )
  if (href === undefined) return <span className={styles.brand}>{content}</span>
  return (
    <a className={styles.brand} href={href}>
      {content}
    </a>
  )
}

function ClearpathMark() {
  return (
    <>
      <rect className={styles.ground} width="28" height="28" rx="8" />
      <path className={styles.path} d="M5 20.5c5.4 0 5.2-9 9.8-9 2.6 0 3.4 3 8.2 3" />
      <circle className={styles.sun} cx="19.6" cy="7.8" r="2.9" />
    </>
  )
}

function ThroughlineMark() {
  return (
    <>
      <circle className={styles.ring} cx="14" cy="14" r="7.6" />
      <path className={styles.line} d="M1.5 14h25" />
      <circle className={styles.ground} cx="14" cy="14" r="3.1" />
    </>
  )
}
