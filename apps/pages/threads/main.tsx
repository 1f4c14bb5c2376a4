import '../../kit/tokens.css'
import '../../kit/base.css'
import '../../kit/shell.css'
import { placeCommands } from '../../home/place-commands.ts'
import { enterPage, mountThreadPage } from '../../kit/index.ts'
import { ThreadPage } from '../../studio/thread/thread-page.tsx'

await mountThreadPage(enterPage('operator'), (entry) => (
  <ThreadPage entry={entry} places={placeCommands} />
))
