import { createContext } from 'react'
import type { ThreadDescription } from './description.ts'
import type { Told } from './story/index.ts'

/** The whole thread and its description: the reasons of a record name other records. */
export interface DescribedThread {
  readonly description: ThreadDescription
  readonly story: readonly Told[]
}

export const ThreadContext = createContext<DescribedThread>({
  description: { tellings: {} },
  story: [],
})
