import '../../kit/tokens.css'
import '../../kit/base.css'
import { mountThreadPage } from '../../kit/index.ts'
import { ThreadPage } from './thread-page.tsx'

await mountThreadPage('operator', (entry) => <ThreadPage entry={entry} />)
