import { WifiOff } from 'lucide'
import { Strip } from './strip.tsx'
import { useOnline } from './use-online.ts'
import { WORDS } from './words.ts'

/** Says that the browser has no network, for as long as it has none. */
export function OfflineStrip() {
  if (useOnline()) return null
  return (
    <Strip tone="warning" icon={WifiOff}>
      {WORDS.connection.offline}
    </Strip>
  )
}
