import '../../kit/tokens.css'
import '../../kit/base.css'
import { mountThreadPage } from '../../kit/index.ts'
import { CustomerPage } from './customer-page.tsx'

await mountThreadPage('customer', (entry) => <CustomerPage entry={entry} />)
