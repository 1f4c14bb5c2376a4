import { useEffect, useRef } from 'react'
import { panelLink } from '../use-panel.ts'
import type { ScreenCommand } from '../view/team-view.ts'
import { WORDS } from '../words.ts'
import { SCREEN_HEIGHT, SCREEN_WIDTH, drawScreen } from './draw-screen.ts'
import { screenState, screenWords } from './screen-words.ts'
import styles from './screen.module.css'

export interface ScreenProps {
  readonly commands: readonly ScreenCommand[]
}

/** The team's drawing, always in sight; it opens the large one. */
export function Screen({ commands }: ScreenProps) {
  const texts = commands.map(({ text }) => text)
  return (
    <section className={styles.section} aria-labelledby="screen-heading">
      <div className={styles.head}>
        <h2 id="screen-heading">{WORDS.screen.heading}</h2>
        <span className={styles.meta}>{screenState(texts)}</span>
        {commands.length > 0 && (
          <a className={`${styles.meta} ${styles.push}`} href={panelLink('screen')}>
            {WORDS.screen.commands(commands.length)}
          </a>
        )}
      </div>
      <a className={styles.frame} href={panelLink('screen')} aria-label={WORDS.screen.open}>
        <Drawing commands={commands} />
      </a>
    </section>
  )
}

export function Drawing({ commands }: ScreenProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const texts = commands.map(({ text }) => text)
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (context)
      drawScreen(
        context,
        commands.map(({ text }) => text),
      )
  }, [commands])
  const words = screenWords(texts)
  return (
    <canvas
      ref={canvas}
      className={styles.canvas}
      width={SCREEN_WIDTH}
      height={SCREEN_HEIGHT}
      role="img"
      aria-label={commands.length === 0 ? WORDS.screen.nothing : WORDS.screen.label(words)}
    />
  )
}
