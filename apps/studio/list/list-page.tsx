import { useEffect, useState } from 'react'
import type { SubmitEvent } from 'react'
import type { Command } from '../../kit/index.ts'
import { Brand, Button, CommandPalette, CopyButton, TextField } from '../../kit/index.ts'
import { FilterLink } from './filter-link.tsx'
import { FoundList } from './found-list.tsx'
import type { ListQuery } from './list-query.ts'
import { TEXT_MAX, TEXT_MIN, readListQuery, withoutFilter, writeListQuery } from './list-query.ts'
import styles from './list.module.css'
import { ThreadRows } from './thread-rows.tsx'
import { LIST_WORDS } from './words.ts'

export interface ThreadListPageProps {
  /** The commands that lead to other pages. */
  readonly places: () => readonly Command[]
}

/** All threads that its reader may enter, by application and declared values, and a search in their records. */
export function ThreadListPage({ places }: ThreadListPageProps) {
  const [query, ask] = useListQuery()
  const { app, text } = query
  return (
    <div className={styles.page}>
      <header className={styles.top}>
        <Brand name="Throughline" href="/" />
        <CommandPalette commands={places} />
      </header>
      <main className={styles.main}>
        <div>
          <h1>{LIST_WORDS.title}</h1>
          <p className={styles.meta}>{LIST_WORDS.about}</p>
        </div>
        <SearchForm
          key={`search ${text}`}
          text={text}
          onSearch={(given) => ask({ ...query, text: given })}
        />
        {text === '' ? (
          <>
            <ActiveFilters query={query} onAsk={ask} />
            <ThreadRows key={writeListQuery(query)} query={query} onAsk={ask} />
          </>
        ) : (
          <FoundList
            key={`found ${app} ${text}`}
            text={text}
            app={app}
            listHref={writeListQuery({ ...query, text: '' }) || '?'}
          />
        )}
      </main>
    </div>
  )
}

interface SearchFormProps {
  readonly text: string
  readonly onSearch: (text: string) => void
}

function SearchForm({ text, onSearch }: SearchFormProps) {
  const [given, give] = useState(text)
  const [error, setError] = useState<string>()
  const search = (event: SubmitEvent): void => {
    event.preventDefault()
    const wanted = given.trim()
    const isShort = wanted.length < TEXT_MIN
    setError(isShort ? LIST_WORDS.search.short : undefined)
    if (!isShort) onSearch(wanted)
  }
  return (
    <search>
      <form className={styles.search} onSubmit={search}>
        <TextField
          id="search"
          label={LIST_WORDS.search.label}
          hint={LIST_WORDS.search.hint}
          value={given}
          error={error}
          maxLength={TEXT_MAX}
          onChange={give}
        />
        <Button type="submit">{LIST_WORDS.search.act}</Button>
      </form>
    </search>
  )
}

interface ActiveFiltersProps {
  readonly query: ListQuery
  readonly onAsk: (query: ListQuery) => void
}

/** The filters in force, each with a way out; the address that holds them can be kept. */
function ActiveFilters({ query, onAsk }: ActiveFiltersProps) {
  const { app, filters } = query
  const active = [
    ...(app === undefined
      ? []
      : [{ words: LIST_WORDS.app(app), without: { ...query, app: undefined } }]),
    ...filters.map((filter) => ({
      words: LIST_WORDS.value(filter.name, filter.value),
      without: withoutFilter(query, filter),
    })),
  ]
  if (active.length === 0) return <p className={styles.meta}>{LIST_WORDS.noFilters}</p>
  return (
    <div className={styles.search} role="group" aria-label={LIST_WORDS.filters}>
      <ul className={styles.values}>
        {active.map(({ words, without }) => (
          <li key={words}>
            <FilterLink query={without} onAsk={onAsk}>
              {LIST_WORDS.remove(words)}
            </FilterLink>
          </li>
        ))}
      </ul>
      <CopyButton text={location.href} name={LIST_WORDS.link} />
    </div>
  )
}

/** The query in the address, and a function that changes both; going back in the history shows the list before. */
function useListQuery(): readonly [ListQuery, (query: ListQuery) => void] {
  const [query, setQuery] = useState(() => readListQuery(location.search))
  useEffect(() => {
    const read = (): void => setQuery(readListQuery(location.search))
    addEventListener('popstate', read)
    return () => removeEventListener('popstate', read)
  }, [])
  const ask = (next: ListQuery): void => {
    history.pushState(null, '', `${location.pathname}${writeListQuery(next)}`)
    setQuery(next)
  }
  return [query, ask]
}
