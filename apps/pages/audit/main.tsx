import '../../kit/tokens.css'
import '../../kit/base.css'
import '../../kit/shell.css'
import { caseDescription } from '../../broker/audit-page/case-description.ts'
import { placeCommands } from '../../home/place-commands.ts'
import { enterPage, mountThreadPage } from '../../kit/index.ts'
import { AuditPage } from '../../studio/index.ts'
import { teamDescription } from '../../team/console/audit-description.ts'

const DESCRIPTIONS = [caseDescription, teamDescription]

await mountThreadPage(enterPage('auditor'), (entry) => (
  <AuditPage entry={entry} descriptions={DESCRIPTIONS} places={placeCommands} />
))
