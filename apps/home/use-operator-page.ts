import { useState } from 'react'
import { mayActAsOperator } from './operator.ts'

export interface OperatorPage {
  readonly href: string
  /** Whether the server asks for the operator's token first. */
  readonly isSignInAsked: boolean
  readonly open: () => Promise<void>
  readonly goOn: () => void
}

/** Opens an operator's page from the start page. */
export function useOperatorPage(address: () => string): OperatorPage {
  const [href] = useState(address)
  const [isSignInAsked, setAsked] = useState(false)
  const goOn = (): void => location.assign(href)
  const open = async (): Promise<void> => {
    if (await mayActAsOperator()) goOn()
    else setAsked(true)
  }
  return { href, isSignInAsked, open, goOn }
}
