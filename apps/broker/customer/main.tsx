import '../../kit/tokens.css'
import '../../kit/base.css'
import { mountThreadPage } from '../../kit/index.ts'
import { CustomerPage } from './customer-page.tsx'
import { WORDS } from './words.ts'

document.title = WORDS.title

await mountThreadPage('customer', (entry) => <CustomerPage entry={entry} />)
