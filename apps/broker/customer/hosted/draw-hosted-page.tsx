import type { PageEntry } from '../../../kit/index.ts'
import { mountThreadPage } from '../../../kit/index.ts'
import { HostedPage } from './hosted-page.tsx'
import { HOSTED_WORDS } from './hosted-words.ts'

/** In `/broker/disclosure/<thread>/<disclosure>`. */
const DISCLOSURE_SEGMENT = 4

export async function drawHostedPage(entering: Promise<PageEntry | undefined>): Promise<void> {
  document.title = HOSTED_WORDS.page.title
  const disclosureId = decodeURIComponent(location.pathname.split('/')[DISCLOSURE_SEGMENT] ?? '')
  await mountThreadPage(
    entering,
    (entry) => <HostedPage entry={entry} disclosureId={disclosureId} />,
    'customer',
  )
}
