import '../kit/tokens.css'
import '../kit/base.css'
import '../kit/shell.css'
import { mountPage } from '../kit/index.ts'
import { ComponentsPage } from './components-page.tsx'

mountPage(<ComponentsPage />)
