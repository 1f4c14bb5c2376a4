import { createContext } from 'react'
import type { PaneProps, ThreadDescription } from './description.ts'
import type { Told } from './story/index.ts'

/** The whole thread and its description: the reasons of a record name other records. */
export interface DescribedThread {
  readonly description: ThreadDescription
  readonly story: readonly Told[]
  readonly personalData: PaneProps['personalData']
  readonly reveal: PaneProps['reveal']
}

export const ThreadContext = createContext<DescribedThread>({
  description: { tellings: {} },
  story: [],
  personalData: 'shown',
  reveal: undefined,
})
