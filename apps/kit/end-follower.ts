/** An element just out of sight counts as seen. */
const OBSERVE = { rootMargin: '0px 0px 160px 0px' }

/**
 * Brings new items at the end of a growing list into view, unless the person has scrolled away.
 * The functions are bound, as `useSyncExternalStore` takes them.
 */
export class EndFollower {
  #end: HTMLElement | null = null
  #observer: IntersectionObserver | undefined
  #latest: HTMLElement | null = null
  readonly #listeners = new Set<() => void>()
  #mode: 'following' | 'away' = 'following'
  #unread: 'none' | 'some' = 'none'
  #scrolledBy: 'person' | 'page' = 'page'
  #ownScrolls = 0
  /** Below a last thing that is taller than the page, it is out of sight before anybody scrolls. */
  #endIs: 'in sight' | 'out of sight' = 'in sight'

  /** Takes the element after the last item. */
  readonly end = (element: HTMLElement | null): void => {
    if (this.#end) this.#observer?.unobserve(this.#end)
    if (element) this.#observer?.observe(element)
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
      this.#endIs = entry?.isIntersecting ? 'in sight' : 'out of sight'
      if (entry?.isIntersecting) this.#arrive()
      else if (this.#scrolledBy === 'person') this.#mode = 'away'
    }, OBSERVE)
    if (this.#end) observer.observe(this.#end)
    this.#observer = observer
    const options = { capture: true, passive: true }
    document.addEventListener('scroll', this.#onScroll, options)
    return () => {
      observer.disconnect()
      this.#observer = undefined
      document.removeEventListener('scroll', this.#onScroll, options)
    }
  }

  /** A new item is at the end, or the last one has moved. */
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
    this.#shown()?.scrollIntoView({ block: 'nearest' })
  }

  /** Marks a scroll by the page, whose events come with the next frame and are not the person's. */
  #scrollSelf(): void {
    this.#scrolledBy = 'page'
    this.#ownScrolls++
    requestAnimationFrame(() => requestAnimationFrame(() => this.#ownScrolls--))
  }

  readonly #onScroll = (): void => {
    if (this.#ownScrolls > 0) return
    this.#scrolledBy = 'person'
    if (this.#endIs === 'out of sight') this.#mode = 'away'
  }
}
