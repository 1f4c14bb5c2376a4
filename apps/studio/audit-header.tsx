import { Radio } from 'lucide'
import { useContext } from 'react'
import type { ThreadPlace } from 'throughline/react'
import type { Command } from '../kit/index.ts'
import { Brand, CommandPalette, Tag } from '../kit/index.ts'
import { connectionOf } from './connection.ts'
import type { PaneProps } from './description.ts'
import styles from './studio.module.css'
import { ThreadFiles } from './thread-files.tsx'
import { ThreadContext } from './thread-context.ts'
import { VerifyBadge } from './verify-badge.tsx'
import { WORDS } from './words.ts'

export interface AuditHeaderProps {
  readonly shown: PaneProps
  readonly place: Pick<ThreadPlace, 'status' | 'seq' | 'head'>
  readonly commands: () => readonly Command[]
}

export function AuditHeader({ shown, place, commands }: AuditHeaderProps) {
  const { Title } = useContext(ThreadContext).description
  return (
    <header className={styles.header}>
      <span className={styles.brand}>
        <Brand name="Throughline" href="/" />
      </span>
      <h1>{WORDS.title}</h1>
      {Title && <Title {...shown} />}
      <span className={styles.states}>
        <span role="status">
          {place.status === 'live' ? (
            <Tag tone="ok" icon={Radio}>
              {WORDS.tail.live}
            </Tag>
          ) : (
            <Tag>{WORDS.tail.paused}</Tag>
          )}
        </span>
        <VerifyBadge thread={shown.thread} head={place.seq} connection={connectionOf(place)} />
        <ThreadFiles thread={shown.thread} reveal={shown.reveal} />
      </span>
      <CommandPalette commands={commands} />
    </header>
  )
}
