import type { RunNode } from 'throughline/client'
import styles from './run.module.css'
import { WORDS } from './words.ts'

type PromptFile = NonNullable<RunNode['files']>[number]

/** The files of a person's message: pictures as such, others by their type. Nothing is fetched. */
export function PromptFiles({ files = [] }: { readonly files: readonly PromptFile[] | undefined }) {
  if (files.length === 0) return null
  return (
    <ul className={styles.files}>
      {files.map((file, at) => (
        <li key={at}>
          <PromptFile file={file} />
        </li>
      ))}
    </ul>
  )
}

function PromptFile({ file: { type, source } }: { readonly file: PromptFile }) {
  const { mimeType = type, value } = source
  if (source.type === 'url') {
    return (
      <a href={value} rel="noreferrer" target="_blank">
        {WORDS.fileAt(mimeType, new URL(value).host)}
      </a>
    )
  }
  if (type === 'image') {
    const picture = `data:${mimeType};base64,${value}`
    return <img className={styles.picture} src={picture} alt={WORDS.file(mimeType)} />
  }
  return <span>{WORDS.file(mimeType)}</span>
}
