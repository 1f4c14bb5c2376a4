import { useState } from 'react'
import type { MouseEvent } from 'react'
import styles from './home.module.css'
import { mayActAsOperator } from './operator.ts'
import { SignIn } from './sign-in.tsx'
import { WORDS } from './words.ts'

/** Leads to the desk, by way of the sign-in where the desk would turn this browser away. */
export function DeskLink({ href }: { readonly href: string }) {
  const [isAsked, setAsked] = useState(false)
  const goOn = (): void => location.assign(href)
  const follow = async (event: MouseEvent): Promise<void> => {
    // Whoever wants another tab gets it.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    if (await mayActAsOperator()) goOn()
    else setAsked(true)
  }
  if (isAsked) return <SignIn onSignedIn={goOn} />
  return (
    <a className={styles.link} href={href} onClick={(event) => void follow(event)}>
      {WORDS.desk.link}
    </a>
  )
}
