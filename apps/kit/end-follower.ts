/** What is just out of sight counts as seen. */
const OBSERVE = { rootMargin: '0px 0px 160px 0px' }

/**
 * Brings what is new at the end of a growing list into view, unless the person has scrolled away.
 * The functions are bound, as `useSyncExternalStore` takes them.
 */
export class EndFollower {
  #end: HTMLElement | null = null
  #latest: HTMLElement | null = null
  readonly #listeners = new Set<() => void>()
  #mode: 'following' | 'away' = 'following'
  #unread: 'none' | 'some' = 'none'
  #scrolledBy: 'person' | 'page' = 'page'
  #ownScrolls = 0

  /** Takes the element that stands after the last thing. */
  readonly end = (element: HTMLElement | null): void => {
    this.#end = element
  }

  /** Takes the last thing itself, where it is to be seen whole. */
  readonly latest = (element: HTMLElement | null): void => {
    this.#latest = element
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  readonly unread = (): 'none' | 'some' => this.#unread

  /** Learns where the person is, until the function that it gives is called. */
  readonly watch = (): (() => void) => {
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) this.#arrive()
      else if (this.#scrolledBy === 'person') this.#mode = 'away'
    }, OBSERVE)
    if (this.#end) observer.observe(this.#end)
    const options = { capture: true, passive: true }
    document.addEventListener('scroll', this.#onScroll, options)
    return () => {
      observer.disconnect()
      document.removeEventListener('scroll', this.#onScroll, options)
    }
  }

  /** Something new stands at the end, or what stands there has moved. */
  readonly grow = (): void => {
    if (this.#mode === 'following') this.#show()
    else this.#become('some')
  }

  /** The person did something that has an answer: it is shown, wherever they had scrolled to. */
  readonly follow = (): void => {
    this.#arrive()
    this.#scrollSelf()
  }

  readonly showEnd = (): void => {
    this.follow()
    this.#show()
    // The button that was pressed goes.
    this.#shown()?.focus({ preventScroll: true })
  }

  #arrive(): void {
    this.#mode = 'following'
    this.#become('none')
  }

  #become(unread: 'none' | 'some'): void {
    if (unread === this.#unread) return
    this.#unread = unread
    for (const notify of this.#listeners) notify()
  }

  #shown(): HTMLElement | null {
    return this.#latest ?? this.#end
  }

  #show(): void {
    this.#scrollSelf()
    const heading = focusedHeadingInView()
    // As much of the card that the person was led to as there is room for beside what was said last.
    heading?.closest('section')?.scrollIntoView({ block: 'nearest' })
    this.#shown()?.scrollIntoView({ block: 'nearest' })
    // The card that the person was led to stays in view beside a message taller than the window.
    heading?.scrollIntoView({ block: 'nearest' })
  }

  /** What scrolls now is not the person's doing; its scroll events come with the next frame. */
  #scrollSelf(): void {
    this.#scrolledBy = 'page'
    this.#ownScrolls++
    requestAnimationFrame(() => requestAnimationFrame(() => this.#ownScrolls--))
  }

  readonly #onScroll = (): void => {
    if (this.#ownScrolls === 0) this.#scrolledBy = 'person'
  }
}

function focusedHeadingInView(): Element | undefined {
  const focused = document.activeElement
  if (!focused?.matches('[data-card-heading]')) return undefined
  const { top, bottom } = focused.getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight ? focused : undefined
}
