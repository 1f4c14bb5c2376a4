import { useEffect, useRef } from 'react'
import { Disclosure, EmptyState } from '../../kit/index.ts'
import { SCREEN_HEIGHT, SCREEN_WIDTH, drawScreen } from './draw-screen.ts'
import styles from './team.module.css'
import type { TeamView } from './team-view.ts'
import { WORDS } from './words.ts'

/** Shows the team's drawing, and the same in words. */
export function Screen({ commands }: Pick<TeamView, 'commands'>) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (context)
      drawScreen(
        context,
        commands.map(({ text }) => text),
      )
  }, [commands])
  return (
    <section className={styles.section} aria-labelledby="screen-heading">
      <h2 id="screen-heading">{WORDS.screen.heading}</h2>
      {commands.length === 0 && <EmptyState>{WORDS.screen.none}</EmptyState>}
      <canvas
        ref={canvas}
        hidden={commands.length === 0}
        className={styles.canvas}
        width={SCREEN_WIDTH}
        height={SCREEN_HEIGHT}
        role="img"
        aria-label={WORDS.screen.label}
      />
      {commands.length > 0 && (
        <Disclosure summary={WORDS.screen.log}>
          {() => (
            <ol className={styles.commands}>
              {commands.map(({ key, text }) => (
                <li key={key}>{text}</li>
              ))}
            </ol>
          )}
        </Disclosure>
      )}
    </section>
  )
}
