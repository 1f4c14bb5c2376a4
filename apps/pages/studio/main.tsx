import { List } from 'lucide'
import '../../kit/tokens.css'
import '../../kit/base.css'
import '../../kit/shell.css'
import { enterPage, goTo, mountThreadPage } from '../../kit/index.ts'
import { AuditPage } from '../../studio/index.ts'

/** The thread is the last part of the address: the page may lie under a prefix. */
const THREAD = location.pathname.split('/').length - 1

const ALL = 'All threads'

await mountThreadPage(enterPage('operator', THREAD), (entry) => (
  <AuditPage
    entry={entry}
    descriptions={[]}
    places={() => goTo('./', { label: ALL, icon: List })}
  />
))
