import { Monitor } from 'lucide'
import { clockTime } from '../../../kit/index.ts'
import { Drawing } from '../grid/screen.tsx'
import type { ScreenProps } from '../grid/screen.tsx'
import { screenWords } from '../grid/screen-words.ts'
import { WORDS } from '../words.ts'
import { NothingYet, PanelHead } from './panel-parts.tsx'
import styles from './screen-panel.module.css'

/** The large drawing, the same in words, and the commands that drew it. */
export function ScreenPanel({ commands }: ScreenProps) {
  const words = screenWords(commands.map(({ text }) => text))
  return (
    <section aria-label={WORDS.screen.panel}>
      <PanelHead title={WORDS.screen.panel} />
      {commands.length === 0 ? (
        <NothingYet icon={Monitor} text={WORDS.screen.none} />
      ) : (
        <div className={styles.scroll}>
          <div className={styles.frame}>
            <Drawing commands={commands} />
          </div>
          <h3>{WORDS.screen.words}</h3>
          <p>{words}</p>
          <h3>{WORDS.screen.list}</h3>
          <ol className={styles.commands} tabIndex={0} aria-label={WORDS.screen.list}>
            {commands.map(({ key, ts, text }) => (
              <li key={key}>
                <code dir="ltr">{text}</code>
                <time>{clockTime(ts)}</time>
              </li>
            ))}
          </ol>
        </div>
      )}
    </section>
  )
}
