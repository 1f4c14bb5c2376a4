/** Browsers encrypt only behind promises, and keep no log of people that could be erased. */
export function encrypt(): never {
  throw new Error('Cannot seal a record: a browser cannot; open erasable applications on a server')
}

export function decrypt(): undefined {
  return undefined
}
