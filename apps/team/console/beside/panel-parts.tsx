import { Search } from 'lucide'
import type { IconNode } from 'lucide'
import type { ReactNode } from 'react'
import { Icon } from '../../../kit/index.ts'
import styles from './panel-parts.module.css'

export interface PanelHeadProps {
  readonly title: string
  readonly note?: string
  readonly children?: ReactNode
}

/** The name of a panel; it takes the focus when the panel opens. */
export function PanelHead({ title, note, children }: PanelHeadProps) {
  return (
    <header className={styles.head}>
      <h2 tabIndex={-1}>{title}</h2>
      {note !== undefined && <span className={styles.meta}>{note}</span>}
      <span className={styles.acts}>{children}</span>
    </header>
  )
}

/** Why a panel is empty, and what fills it. */
export function NothingYet({ icon, text }: { readonly icon: IconNode; readonly text: string }) {
  return (
    <div className={styles.none}>
      <Icon shape={icon} />
      <p>{text}</p>
    </div>
  )
}

export interface FindProps {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A field that finds while a person types. */
export function Find({ label, placeholder, value, onChange }: FindProps) {
  return (
    <label className={styles.find}>
      <Icon shape={Search} />
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={value}
        dir="auto"
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  )
}

export interface FiltersProps {
  /** What the choice is about, for those who listen to the page. */
  readonly label: string
  readonly name: string
  readonly value: string
  readonly options: readonly { readonly value: string; readonly label: ReactNode }[]
  readonly onChange: (value: string) => void
}

/** A choice of which things a list shows. */
export function Filters({ label, name, value, options, onChange }: FiltersProps) {
  return (
    <fieldset className={styles.filters} aria-label={label}>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  )
}

export interface FiguresProps {
  readonly figures: readonly { readonly value: string; readonly name: string }[]
}

/** Figures side by side, each with its name below. */
export function Figures({ figures }: FiguresProps) {
  return (
    <dl className={styles.figures}>
      {figures.map(({ value, name }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
