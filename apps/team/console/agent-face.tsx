import type { FaceVariant } from '../events/agents.ts'
import styles from './grid.module.css'

const EYES: Readonly<Record<string, { readonly rx: number; readonly ry: number }>> = {
  standard: { rx: 2.4, ry: 2.4 },
  round: { rx: 3.2, ry: 3.2 },
  narrow: { rx: 3.2, ry: 1.2 },
  wide: { rx: 3.8, ry: 2.6 },
}

const MOUTHS: Readonly<Record<string, string>> = {
  gentle: 'M14 27 Q20 31 26 27',
  straight: 'M14 28 H26',
  cheerful: 'M13 26 Q20 34 27 26',
  asymmetric: 'M14 28 Q21 31 27 25',
}

export interface AgentFaceProps {
  readonly color: string
  readonly variant: FaceVariant
  readonly isAwake: boolean
}

/** A face that an agent is known by. Closed eyes say what the words beside it say too. */
export function AgentFace({ color, variant, isAwake }: AgentFaceProps) {
  const eye = EYES[variant.eyes] ?? { rx: 2.4, ry: 2.4 }
  return (
    <svg className={styles.face} viewBox="0 0 40 40" aria-hidden="true" focusable="false">
      <rect x="2" y="2" width="36" height="36" rx="12" fill={color} className={styles.skin} />
      {[13, 27].map((x) =>
        isAwake ? (
          <ellipse key={x} cx={x} cy="17" {...eye} className={styles.ink} />
        ) : (
          <path key={x} d={`M${x - 3} 17 h6`} className={styles.stroke} />
        ),
      )}
      <path d={MOUTHS[variant.mouth] ?? MOUTHS['gentle']} className={styles.stroke} />
    </svg>
  )
}
