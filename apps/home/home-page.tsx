import styles from './home.module.css'
import { StartCase } from './start-case.tsx'
import { WORDS } from './words.ts'

const APPLICATIONS = [
  { ...WORDS.broker, href: '#start' },
  { ...WORDS.studio, href: '#start' },
  { ...WORDS.desk, href: `/threads/desk-${freshName()}` },
  { ...WORDS.server, href: '/api/health' },
]

/** A thread begins with the first question that is asked in it, so its name must be new. */
function freshName(): string {
  const parts = crypto.getRandomValues(new Uint32Array(2))
  return [...parts].map((part) => part.toString(36)).join('')
}

export function HomePage() {
  return (
    <main className={styles.page}>
      <header className={styles.intro}>
        <h1>{WORDS.title}</h1>
        <p>{WORDS.text}</p>
      </header>
      <section aria-label={WORDS.applications}>
        <h2>{WORDS.applications}</h2>
        <ul className={styles.applications}>
          {APPLICATIONS.map(({ name, text, link, href }) => (
            <li key={name} className={styles.application}>
              <h3>{name}</h3>
              <p>{text}</p>
              <a className={styles.link} href={href}>
                {link}
              </a>
            </li>
          ))}
        </ul>
      </section>
      <div id="start">
        <StartCase />
      </div>
    </main>
  )
}
