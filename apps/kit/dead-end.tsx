import { Brand } from './brand.tsx'
import { Button } from './button.tsx'
import styles from './dead-end.module.css'
import { LinkButton } from './link-button.tsx'
import { WORDS } from './words.ts'

export interface DeadEndProps {
  readonly title: string
  /** Why, in a sentence or two. */
  readonly text: string
  /** The person's options. */
  readonly acts: Readonly<Record<string, string>>
  /** The start page is for staff alone. */
  readonly reader?: 'staff' | 'customer' | undefined
  /** The code by which support finds the case. */
  readonly code?: string | undefined
  /** Another look would show the same. */
  readonly isFinal?: boolean
}

/** The page for an address or a link that does not open. */
export function DeadEnd({
  title,
  text,
  acts,
  reader = 'staff',
  code,
  isFinal = false,
}: DeadEndProps) {
  return (
    <div className={styles.page}>
      <header className={styles.top}>
        <Brand name={reader === 'customer' ? 'Clearpath' : 'Throughline'} />
      </header>
      <main className={styles.main}>
        <BrokenLine />
        <div className={styles.told}>
          <h1>{title}</h1>
          <p>{text}</p>
        </div>
        <section className={styles.told}>
          <h2>{WORDS.deadEnd.acts}</h2>
          <ul className={styles.acts}>
            {Object.values(acts).map((act) => (
              <li key={act}>{act}</li>
            ))}
          </ul>
        </section>
        <div className={styles.buttons}>
          {reader === 'staff' && (
            <LinkButton href="/" opens="in the whole tab">
              {WORDS.deadEnd.start}
            </LinkButton>
          )}
          {!isFinal && (
            <Button
              look={reader === 'staff' ? 'quiet' : 'primary'}
              onClick={() => location.reload()}
            >
              {WORDS.connection.reload}
            </Button>
          )}
        </div>
        {code !== undefined && (
          <p className={styles.code}>
            {WORDS.code} <bdi>{code}</bdi>
          </p>
        )}
      </main>
    </div>
  )
}

function BrokenLine() {
  return (
    <svg className={styles.line} viewBox="0 0 320 36" aria-hidden="true" focusable="false">
      <path className={styles.here} d="M0 18h128" />
      <path className={styles.gone} d="M192 18h128" />
      <circle className={styles.end} cx="128" cy="18" r="8" />
      <circle className={styles.missing} cx="192" cy="18" r="7" />
    </svg>
  )
}
