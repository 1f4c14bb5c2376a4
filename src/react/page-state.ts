/** The state of a page that decides whether it keeps a stream open. */
export interface PageState {
  readonly isHidden: () => boolean
  /** Reports when the page is hidden or shown and when the network is back, until it is stopped. */
  readonly subscribe: (listener: (change: 'visibility' | 'online') => void) => () => void
}

/** The page that this runs in; where there is none, it counts as seen. */
export const THIS_PAGE: PageState = {
  isHidden: () => typeof document !== 'undefined' && document.visibilityState === 'hidden',
  subscribe(listener) {
    if (typeof document === 'undefined') return () => undefined
    const onVisibility = (): void => listener('visibility')
    const onOnline = (): void => listener('online')
    document.addEventListener('visibilitychange', onVisibility)
    addEventListener('online', onOnline)
    return () => {
      document.removeEventListener('visibilitychange', onVisibility)
      removeEventListener('online', onOnline)
    }
  },
}
