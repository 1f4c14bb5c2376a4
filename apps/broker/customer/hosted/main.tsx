import '../../../kit/tokens.css'
import '../../../kit/base.css'
import { mountThreadPage } from '../../../kit/index.ts'
import { WORDS } from '../words.ts'
import { HostedPage } from './hosted-page.tsx'

document.title = WORDS.hosted.page.title

/** In `/broker/disclosure/<thread>/<disclosure>`. */
const [THREAD_SEGMENT, DISCLOSURE_SEGMENT] = [3, 4]

const disclosureId = decodeURIComponent(location.pathname.split('/')[DISCLOSURE_SEGMENT] ?? '')

await mountThreadPage(
  'customer',
  (entry) => <HostedPage entry={entry} disclosureId={disclosureId} />,
  THREAD_SEGMENT,
)
