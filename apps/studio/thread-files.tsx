import { useContext, useState } from 'react'
import { Button, inBackground, threadUrl } from '../kit/index.ts'
import { RoleContext } from './role-context.ts'
import { saveFile } from './saved-file.ts'
import { withReveal } from './use-reveal.ts'
import { WORDS } from './words.ts'

const ENDINGS = { export: 'jsonl', bundle: 'html' } as const
const TOO_LARGE = 413
const WORDED = WORDS.files

export interface ThreadFilesProps {
  readonly thread: string
  /** The record of a reveal that they are read under. */
  readonly reveal: number | undefined
}

/** Saves the thread as its reader may read it: its records, or one page that verifies them. */
export function ThreadFiles({ thread, reveal }: ThreadFilesProps) {
  const role = useContext(RoleContext)
  const [work, setWork] = useState<'ready' | 'waiting'>('ready')
  const [fault, setFault] = useState<keyof typeof WORDED.faults>()
  const save = async (kind: keyof typeof ENDINGS): Promise<void> => {
    setWork('waiting')
    setFault(undefined)
    try {
      const url = withReveal(`${threadUrl(thread)}/${kind}`, reveal)
      const answer = await fetch(url, { headers: { 'throughline-role': role } })
      if (answer.ok) saveFile(`${thread}.${ENDINGS[kind]}`, await answer.blob())
      else setFault(answer.status === TOO_LARGE ? 'tooLarge' : 'failed')
    } catch (error) {
      // Without a connection.
      if (!(error instanceof TypeError)) throw error
      setFault('failed')
    } finally {
      setWork('ready')
    }
  }
  return (
    <>
      <Button look="quiet" readiness={work} onClick={() => inBackground(save('export'))}>
        {WORDED.export}
      </Button>
      <Button look="quiet" readiness={work} onClick={() => inBackground(save('bundle'))}>
        {WORDED.bundle}
      </Button>
      {fault && <p role="alert">{WORDED.faults[fault]}</p>}
    </>
  )
}
