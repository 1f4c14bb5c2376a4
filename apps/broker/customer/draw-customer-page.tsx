import type { PageEntry } from '../../kit/index.ts'
import { mountThreadPage } from '../../kit/index.ts'
import { CustomerPage } from './customer-page.tsx'
import { SHELL_WORDS } from './shell-words.ts'

export async function drawCustomerPage(entering: Promise<PageEntry | undefined>): Promise<void> {
  document.title = SHELL_WORDS.title
  await mountThreadPage(entering, (entry) => <CustomerPage entry={entry} />, 'customer')
}
