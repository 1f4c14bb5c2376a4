import '../../kit/tokens.css'
import '../../kit/base.css'
import { mountThreadPage } from '../../kit/index.ts'
import { InstallerPage } from './installer-page.tsx'

await mountThreadPage('installer', (entry) => <InstallerPage entry={entry} />)
