import '../../kit/tokens.css'
import '../../kit/base.css'
import '../../kit/shell.css'
import { mountPage } from '../../kit/index.ts'
import { MissingPage } from './missing-page.tsx'
import { WORDS } from './words.ts'

document.title = WORDS.tab

mountPage(<MissingPage />)
