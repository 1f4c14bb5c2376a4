import '../../kit/tokens.css'
import '../../kit/base.css'
import '../../kit/shell.css'
import { enterPage, mountThreadPage } from '../../kit/index.ts'
import { InstallerPage } from './installer-page.tsx'
import { WORDS } from './words.ts'

document.title = WORDS.title

await mountThreadPage(enterPage('installer'), (entry) => <InstallerPage entry={entry} />)
