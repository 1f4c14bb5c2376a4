import '../../kit/tokens.css'
import '../../kit/base.css'
import '../../kit/shell.css'
import { mountPage } from '../../kit/index.ts'
import { DemonstrationPage } from './demonstration-page.tsx'
import { takePanePages } from './pane-pages.ts'
import { WORDS } from './words.ts'

document.title = WORDS.tab

mountPage(<DemonstrationPage pages={takePanePages()} />)
