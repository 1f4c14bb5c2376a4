import '../kit/tokens.css'
import '../kit/base.css'
import { mountThreadPage } from '../kit/index.ts'
import { AuditPage } from './audit-page.tsx'

await mountThreadPage('auditor', (entry) => <AuditPage entry={entry} />)
