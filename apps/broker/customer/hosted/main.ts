import '../../../kit/tokens.css'
import '../../../kit/base.css'
import '../../../kit/shell.css'
import { enterPage } from '../../../kit/index.ts'

/** In `/broker/disclosure/<thread>/<disclosure>`. */
const THREAD_SEGMENT = 3

// The link is exchanged while the rest of the page is still being loaded.
const entering = enterPage('customer', THREAD_SEGMENT)
const { drawHostedPage } = await import('./draw-hosted-page.tsx')
await drawHostedPage(entering)
