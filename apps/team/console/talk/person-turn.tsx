import { CircleX, LogOut, Shrink } from 'lucide'
import type { IconNode } from 'lucide'
import { ActorShape, Icon, time } from '../../../kit/index.ts'
import type { NoticeEntry, PersonEntry } from '../view/talk.ts'
import { sessionNumber } from '../view/session-number.ts'
import { WORDS } from '../words.ts'
import styles from './turn.module.css'
import { Undelivered } from './undelivered.tsx'

/** A message of a person. */
export function PersonTurn({ entry }: { readonly entry: PersonEntry }) {
  const { who, text, to, ts } = entry
  return (
    <li className={styles.turn}>
      <article aria-label={`${who}, ${time(ts)}`}>
        <span className={styles.dot}>
          <ActorShape actor="person" />
        </span>
        <header className={styles.who}>
          <b>{who}</b>
          {to !== null && <span className={styles.meta}>{WORDS.chat.to(to)}</span>}
          <time className={styles.at}>{time(ts)}</time>
        </header>
        <div className={styles.said}>
          <p className={styles.text} dir="auto">
            {text}
          </p>
          <Undelivered item={entry} />
        </div>
      </article>
    </li>
  )
}

const ICONS: Readonly<Partial<Record<NoticeEntry['about'], IconNode>>> = {
  shortened: Shrink,
  ended: LogOut,
  failed: CircleX,
}

/** Something that happened to the session. */
export function Notice({ entry }: { readonly entry: NoticeEntry }) {
  const { about } = entry
  const icon = ICONS[about]
  return (
    <li className={`${styles.notice} ${about === 'failed' ? styles.fault : ''}`}>
      <span className={styles.noticeMark}>
        {icon ? <Icon shape={icon} /> : <ActorShape actor="system" />}
      </span>
      <div>
        <p dir="auto">
          {noticeText(entry)} <time className={styles.at}>{time(entry.ts)}</time>
        </p>
        <Undelivered item={entry} />
      </div>
    </li>
  )
}

function noticeText({ about, text }: NoticeEntry): string {
  switch (about) {
    case 'began':
      return WORDS.chat.began(sessionNumber(text))
    case 'went_on':
      return WORDS.chat.wentOn(sessionNumber(text))
    case 'ended':
      return WORDS.chat.ended[text as keyof typeof WORDS.chat.ended]
    case 'shortened':
      return WORDS.chat.shortened(text)
    case 'failed':
      return text
  }
}
