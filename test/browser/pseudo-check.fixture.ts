import type { Page } from 'playwright-core'
import { readBody } from '../../apps/broker/disclosures/body.ts'
import type { Json } from '../../src/json/index.ts'

/** Returns the texts of a page: of its elements, their accessible names, and its title. */
function textsOn(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const texts = [document.title]
    // A part of it is in bold, or a contact that is a link: it is one text.
    const isSentence = (element: Element): boolean =>
      element.querySelector(':scope > b, :scope > a > bdi') !== null &&
      Array.from(element.childNodes).some(
        (child) => child.nodeType === Node.TEXT_NODE && child.nodeValue?.trim() !== '',
      )
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement
      const part = element?.closest('b, a:has(> bdi)')
      const around = part ? part.parentElement : element
      if (!element?.closest('script, style')) {
        texts.push((around && isSentence(around) ? around : node).textContent ?? '')
      }
    }
    const named = ['aria-label', 'aria-description', 'title', 'alt', 'placeholder']
    for (const element of document.querySelectorAll(named.map((name) => `[${name}]`).join())) {
      for (const name of named) texts.push(element.getAttribute(name) ?? '')
    }
    return texts
  })
}

/** The texts that neither the words of the page nor `given` account for. */
export async function hardCoded(
  page: Page,
  given: ReadonlySet<string>,
): Promise<readonly string[]> {
  const texts = (await textsOn(page)).map(plainOf)
  return [...new Set(texts)].filter((text) => /\p{L}/u.test(text) && !isGiven(text, given))
}

/** Removes bracketed parts, which may be nested. */
function plainOf(text: string): string {
  const less = text.replaceAll(/⟦[^⟦⟧]*⟧/g, '')
  return less === text ? text.replaceAll(/\s+/g, ' ').trim() : plainOf(less)
}

function isGiven(text: string, given: ReadonlySet<string>): boolean {
  // An address is shown on one line.
  return given.has(text) || text.split(', ').every((part) => given.has(part))
}

/** Every text in what a server answered, disclosures also by their paragraphs. */
export function textsIn(answer: Json): readonly string[] {
  if (typeof answer === 'string') {
    const blocks = readBody(answer)
    const parts = blocks.flatMap((block) =>
      block.kind === 'paragraph' ? [block.text] : block.items,
    )
    return [answer, ...parts].map((text) => text.replaceAll(/\s+/g, ' ').trim())
  }
  if (answer === null || typeof answer !== 'object') return []
  return Object.values(answer).flatMap((each) => textsIn(each ?? null))
}

/** Returns the layout faults of a page: text beyond its sides, cut off, or broken within a word. */
export function misplaced(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const [body, range] = [document.body, document.createRange()]
    const boxesOf = (element: Element): readonly Element[] => {
      const above = element.parentElement
      return element === body || !above ? [] : [element, ...boxesOf(above)]
    }
    const isSeen = (element: Element): boolean => {
      const isClosed = element.closest('dialog:not([open])') !== null
      const styles = boxesOf(element).map((box) => getComputedStyle(box))
      const isHidden = styles.some(({ clipPath }) => clipPath !== 'none')
      // The full text of a line cut with an ellipsis is elsewhere on the page.
      const isShortened = styles.some(({ textOverflow }) => textOverflow === 'ellipsis')
      const isVisible = styles[0]?.visibility === 'visible'
      return isVisible && !isHidden && !isShortened && !isClosed
    }
    const isBeyond = (inner: DOMRect, outer: { readonly left: number; readonly right: number }) =>
      inner.width > 0 && (inner.left < outer.left - 1 || inner.right > outer.right + 1)
    const hides = (box: Element): boolean => {
      const { overflowX } = getComputedStyle(box)
      return overflowX !== 'visible' && box.scrollWidth > box.clientWidth + 1
    }
    const breaks = (text: Node, { 0: word, index }: RegExpExecArray): boolean => {
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      const bottoms = Array.from(range.getClientRects(), ({ bottom }) => Math.round(bottom))
      // An address has no other place to break at.
      return new Set(bottoms).size > 1 && !word.includes('@')
    }
    const faultsOf = (text: Node, element: Element): readonly string[] => {
      const [name, value] = [`${element.tagName} ${text.nodeValue}`, text.nodeValue ?? '']
      range.selectNodeContents(text)
      const place = range.getBoundingClientRect()
      const frame = element.closest('button, a, label, legend, th, td, dt, dd, h1, h2, h3')
      const words = frame ? [...value.matchAll(/[^\s-]+/g)] : []
      return [
        ...(isBeyond(place, { left: 0, right: innerWidth }) ? [`beyond the side: ${name}`] : []),
        ...(boxesOf(element).some(hides) ? [`cut off: ${name}`] : []),
        ...(frame && isBeyond(place, frame.getBoundingClientRect()) ? [`sticks out: ${name}`] : []),
        ...words.filter((word) => breaks(text, word)).map(([word]) => `broken: ${word} in ${name}`),
      ]
    }
    const beyond = document.documentElement.scrollWidth - innerWidth
    const faults = beyond > 0 ? [`the page is ${beyond} too wide`] : []
    const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement
      if (element && node.nodeValue?.trim() !== '' && isSeen(element)) {
        faults.push(...faultsOf(node, element))
      }
    }
    return faults
  })
}

/**
 * Returns the sums that are not in the other locale's format: pounds after the number, decimals after a
 * comma. Messages and disclosures are exempt, because the server writes them.
 */
export function unlocalised(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const texts: string[] = []
    for (const main of document.querySelectorAll('main')) {
      const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (!node.parentElement?.closest('[dir=auto]')) texts.push(node.nodeValue ?? '')
      }
    }
    return texts.filter((text) => /£\s?\d|\d\.\d\d?\b|\d%/.test(text))
  })
}
