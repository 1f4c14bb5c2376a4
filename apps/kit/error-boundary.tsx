import type { ReactNode } from 'react'
import { Component } from 'react'
import { Notice } from './notice.tsx'
import { WORDS } from './words.ts'

interface Props {
  readonly children: ReactNode
}

/** Keeps a page that cannot be drawn from going blank. */
export class ErrorBoundary extends Component<Props, { readonly crashed: boolean }> {
  override readonly state = { crashed: false }

  static getDerivedStateFromError(): { readonly crashed: boolean } {
    return { crashed: true }
  }

  override render(): ReactNode {
    if (!this.state.crashed) return this.props.children
    return <Notice title={WORDS.connection.crashedTitle}>{WORDS.connection.crashed}</Notice>
  }
}
