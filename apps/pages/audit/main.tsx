import '../../kit/tokens.css'
import '../../kit/base.css'
import '../../kit/shell.css'
import { placeCommands } from '../../home/place-commands.ts'
import { enterPage, mountThreadPage } from '../../kit/index.ts'
import { AuditPage } from '../../studio/audit-page.tsx'
import { caseDescription } from '../../studio/case-description.ts'

const DESCRIPTIONS = [caseDescription]

await mountThreadPage(enterPage('auditor'), (entry) => (
  <AuditPage entry={entry} descriptions={DESCRIPTIONS} places={placeCommands} />
))
