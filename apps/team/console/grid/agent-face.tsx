import type { FaceVariant } from '../../events/agents.ts'
import styles from './agent-face.module.css'

/** A rectangle of pixels on a face of 12 × 12: x, y, width, height. */
type Pixels = readonly (readonly [number, number, number, number])[]

const EYES: Readonly<Record<string, Pixels>> = {
  standard: [
    [3, 4, 2, 2],
    [7, 4, 2, 2],
  ],
  round: [
    [3, 4, 2, 2],
    [7, 4, 2, 2],
  ],
  narrow: [
    [3, 5, 2, 1],
    [7, 5, 2, 1],
  ],
  wide: [
    [2, 4, 3, 2],
    [7, 4, 3, 2],
  ],
}

const SHUT: Pixels = [
  [2, 5, 3, 1],
  [7, 5, 3, 1],
]

const GLINTS: Readonly<Record<string, Pixels>> = {
  round: [
    [4, 4, 1, 1],
    [8, 4, 1, 1],
  ],
  wide: [
    [4, 4, 1, 1],
    [9, 4, 1, 1],
  ],
}

const MOUTHS: Readonly<Record<string, Pixels>> = {
  gentle: [
    [4, 9, 4, 1],
    [3, 8, 1, 1],
    [8, 8, 1, 1],
  ],
  straight: [[4, 9, 4, 1]],
  cheerful: [
    [3, 8, 6, 1],
    [4, 9, 4, 1],
  ],
  asymmetric: [
    [4, 9, 3, 1],
    [7, 8, 2, 1],
  ],
}

const SPEAKING: Pixels = [[4, 8, 4, 2]]
const FROWN: Pixels = [
  [4, 8, 4, 1],
  [3, 9, 1, 1],
  [8, 9, 1, 1],
]

export type Expression = 'awake' | 'asleep' | 'speaking' | 'failed'

export interface AgentFaceProps {
  readonly color: string
  readonly variant: FaceVariant
  readonly expression?: Expression
  readonly size?: 'tiny' | 'small' | 'middle' | 'place' | 'large'
}

/** A face that an agent is known by. Its expression repeats what words beside it say. */
export function AgentFace(props: AgentFaceProps) {
  const { color, variant, expression = 'awake', size = 'small' } = props
  const isAsleep = expression === 'asleep'
  const eyes = isAsleep ? SHUT : (EYES[variant.eyes] ?? EYES['standard'])
  const ground = isDark(color) ? styles.dark : ''
  return (
    <svg
      className={`${styles.face} ${styles[size]} ${ground} ${isAsleep ? styles.asleep : ''}`}
      viewBox="0 0 12 12"
      aria-hidden="true"
      focusable="false"
    >
      <rect className={styles.skin} width="12" height="12" rx="2.5" fill={color} />
      <Drawn pixels={eyes} as="ink" />
      {!isAsleep && <Drawn pixels={GLINTS[variant.eyes]} as="glint" />}
      <Drawn pixels={mouth(variant, expression)} as="ink" />
    </svg>
  )
}

function mouth(variant: FaceVariant, expression: Expression): Pixels | undefined {
  if (expression === 'speaking') return SPEAKING
  if (expression === 'failed') return FROWN
  return MOUTHS[variant.mouth] ?? MOUTHS['gentle']
}

function Drawn({
  pixels = [],
  as,
}: {
  readonly pixels: Pixels | undefined
  readonly as: 'ink' | 'glint'
}) {
  return pixels.map(([x, y, width, height]) => (
    <rect key={`${x}.${y}`} className={styles[as]} x={x} y={y} width={width} height={height} />
  ))
}

/** Whether ink on the colour has to be light: a colour of six hexadecimal digits that is dark. */
function isDark(color: string): boolean {
  const digits = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color)
  if (!digits) return false
  const [red = 0, green = 0, blue = 0] = digits.slice(1).map((each) => parseInt(each, 16))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 110
}
