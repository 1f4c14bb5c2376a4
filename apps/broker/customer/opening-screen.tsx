import { PageHeader } from './page-header.tsx'
import { SHELL_WORDS } from './shell-words.ts'

const words = SHELL_WORDS.opening

/** Stands until the case is there. The page's HTML shows the same before any script has run. */
export function OpeningScreen({ status }: { readonly status: 'opening' | 'late' }) {
  const { phone } = SHELL_WORDS.person
  return (
    <>
      <PageHeader />
      <main className="opening-main">
        <h1>{words.title}</h1>
        <p className="opening-lead">{words.text}</p>
        <div role="status">{status === 'late' && <p className="opening-late">{words.late}</p>}</div>
        <div className="opening-blocks" aria-hidden="true">
          <div />
          <div />
        </div>
        <p className="opening-call">
          {words.call}{' '}
          <a href={`tel:${phone.replaceAll(/\D/g, '')}`}>
            <bdi>{phone}</bdi>
          </a>
        </p>
      </main>
    </>
  )
}
