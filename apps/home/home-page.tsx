import { useState } from 'react'
import type { StartedCase } from './case-links.ts'
import { DeskLink } from './desk-link.tsx'
import styles from './home.module.css'
import { forgetCase, forgetCases, keepCase, keptCases } from './kept-cases.ts'
import { SignOut } from './sign-out.tsx'
import { StartCase } from './start-case.tsx'
import { StartedCases } from './started-cases.tsx'
import { WORDS } from './words.ts'

/** The same in every language. */
const NAME = 'Throughline'

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
  const [cases, setCases] = useState(keptCases)
  const [isSignedIn, setSignedIn] = useState(false)
  const leave = (): void => {
    setSignedIn(false)
    // The server has removed the cookies that opened them.
    setCases(forgetCases())
  }
  const keep = ({ sessionId, entry }: StartedCase): void => {
    if (entry === 'open') setCases(keepCase({ sessionId, startedAt: Date.now() }))
  }
  return (
    <main className={styles.page}>
      <header className={styles.intro}>
        <h1>{NAME}</h1>
        <p>{WORDS.text}</p>
        {isSignedIn && <SignOut onSignedOut={leave} />}
      </header>
      <section aria-label={WORDS.applications}>
        <h2>{WORDS.applications}</h2>
        <ul className={styles.applications}>
          {APPLICATIONS.map(({ name, text, link, href }) => (
            <li key={name} className={styles.application}>
              <h3>{name}</h3>
              <p>{text}</p>
              {name === WORDS.desk.name ? (
                <DeskLink href={href} />
              ) : (
                <a className={styles.link} href={href}>
                  {link}
                </a>
              )}
            </li>
          ))}
        </ul>
      </section>
      <div id="start">
        <StartCase onStarted={keep} onSignedIn={() => setSignedIn(true)} />
      </div>
      <StartedCases cases={cases} onForget={(sessionId) => setCases(forgetCase(sessionId))} />
    </main>
  )
}
