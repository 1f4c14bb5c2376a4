import { CircleCheck, TriangleAlert } from 'lucide'
import { useEffect, useState } from 'react'
import { ClientError, request, textOf } from 'throughline/client'
import { Icon } from '../kit/index.ts'
import styles from './home.module.css'
import { WORDS } from './words.ts'

const HEALTH = '/api/health'

type Health =
  | { readonly status: 'checking' | 'silent' }
  | { readonly status: 'working'; readonly version: string }

/** Whether the server answers, and which version it is. */
export function ServerHealth() {
  const health = useHealth()
  return (
    <footer className={styles.footer}>
      <span className={styles[health.status]} role="status">
        {health.status === 'working' && <Icon shape={CircleCheck} />}
        {health.status === 'silent' && <Icon shape={TriangleAlert} />}
        {WORDS.health[health.status]}
      </span>
      {health.status === 'working' && <span>{WORDS.health.version(health.version)}</span>}
      <span>{WORDS.health.place}</span>
      <a href={HEALTH}>{WORDS.health.json}</a>
    </footer>
  )
}

function useHealth(): Health {
  const [health, setHealth] = useState<Health>({ status: 'checking' })
  useEffect(() => {
    request(HEALTH).then(
      (answer) => setHealth({ status: 'working', version: textOf(answer, 'version') }),
      (error: unknown) => {
        if (error instanceof ClientError) setHealth({ status: 'silent' })
      },
    )
  }, [])
  return health
}
