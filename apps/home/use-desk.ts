import { useState } from 'react'
import { newDeskAddress } from './desk-address.ts'
import { mayActAsOperator } from './operator.ts'

export interface DeskEntry {
  readonly href: string
  /** Whether the server asks for the operator's token first. */
  readonly isSignInAsked: boolean
  readonly open: () => Promise<void>
  readonly goOn: () => void
}

/** How the start page opens a new desk. */
export function useDesk(): DeskEntry {
  const [href] = useState(newDeskAddress)
  const [isSignInAsked, setAsked] = useState(false)
  const goOn = (): void => location.assign(href)
  const open = async (): Promise<void> => {
    if (await mayActAsOperator()) goOn()
    else setAsked(true)
  }
  return { href, isSignInAsked, open, goOn }
}
