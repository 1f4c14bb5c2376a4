import '../../kit/tokens.css'
import '../../kit/base.css'
import './opening.css'
import { enterPage } from '../../kit/index.ts'

// The link is exchanged while the rest of the page is still being loaded.
const entering = enterPage('customer')
const { drawCustomerPage } = await import('./draw-customer-page.tsx')
await drawCustomerPage(entering)
