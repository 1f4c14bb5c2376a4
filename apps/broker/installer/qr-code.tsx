import { encode } from 'uqr'
import styles from './qr-code.module.css'

/** Clear modules on each side, which a camera needs to find the code. */
const QUIET_MODULES = 4

export interface QrCodeProps {
  readonly text: string
  /** The address in the code. */
  readonly label: string
}

/** A QR code, black on white in both colour schemes. */
export function QrCode({ text, label }: QrCodeProps) {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_MODULES })
  const modules = data.flatMap((row, y) =>
    row.flatMap((dark, x) => (dark ? [`M${x},${y}h1v1h-1z`] : [])),
  )
  return (
    <svg
      className={styles.code}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={modules.join('')} fill="#000" />
    </svg>
  )
}
