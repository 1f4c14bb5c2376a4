import '../../kit/tokens.css'
import '../../kit/base.css'
import '../../kit/shell.css'
import { enterList, mountPage } from '../../kit/index.ts'
import { ThreadListPage } from '../../studio/index.ts'

await enterList()
mountPage(<ThreadListPage places={() => []} />)
