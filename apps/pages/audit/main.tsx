import '../../kit/tokens.css'
import '../../kit/base.css'
import '../../kit/shell.css'
import { enterPage, mountThreadPage } from '../../kit/index.ts'
import { AuditPage } from '../../studio/audit-page.tsx'

await mountThreadPage(enterPage('auditor'), (entry) => <AuditPage entry={entry} />)
