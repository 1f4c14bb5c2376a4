import { ArrowLeft, Check, CircleAlert, Hand, Info, TriangleAlert, WifiOff } from 'lucide'
import { ActorShape, Icon } from '../kit/index.ts'
import styles from './components.module.css'
import { Sample, Section } from './section.tsx'

const COLOURS = [
  ['paper', 'surface', 'sunken', 'rule', 'line', 'ink', 'ink-2'],
  ['accent', 'accent-hover', 'accent-soft', 'on-accent', 'sun'],
  ['info', 'info-soft', 'warn', 'warn-soft', 'danger', 'danger-soft', 'ok', 'ok-soft', 'focus'],
].flat()

const ICONS = { ArrowLeft, Check, CircleAlert, Hand, Info, TriangleAlert, WifiOff }

const ACTORS = [
  ['person', 'Person'],
  ['model', 'Model'],
  ['rule', 'Rule'],
  ['system', 'System'],
] as const

export function TokensSection() {
  return (
    <Section title="Colour, type and who did it">
      <Sample of="Colours" width="whole">
        <ul className={styles.swatches}>
          {COLOURS.map((name) => (
            <li key={name} className={styles.swatch}>
              <span className={styles.colour} style={{ background: `var(--${name})` }} />
              {name}
            </li>
          ))}
        </ul>
      </Sample>
      <Sample of="Headings and text" width="whole">
        <h2>How long do you want to repay?</h2>
        <h3>An estimate, not an offer</h3>
        <p>
          You borrow £15,750.00 over 10 years. Names such as Łukasz Dvořák and Zoë Öztürk keep their
          letters. <a href="#page">A link</a>
        </p>
      </Sample>
      <Sample of="Icon" width="whole">
        <ul className={`${styles.inline} ${styles.list}`}>
          {Object.entries(ICONS).map(([name, shape]) => (
            <li key={name}>
              <Icon shape={shape} /> {name}
            </li>
          ))}
        </ul>
      </Sample>
      <Sample of="ActorShape" width="whole">
        <ul className={`${styles.inline} ${styles.list}`}>
          {ACTORS.map(([actor, name]) => (
            <li key={actor}>
              <ActorShape actor={actor} /> {name}
            </li>
          ))}
        </ul>
      </Sample>
    </Section>
  )
}
