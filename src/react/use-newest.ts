'use client'

import { useLayoutEffect, useRef } from 'react'

/** Gives an object that is made once the newest value of each rendering, such as headers with a renewed token. */
export function useNewest<Value>(value: Value): { readonly current: Value } {
  const newest = useRef(value)
  useLayoutEffect(() => {
    newest.current = value
  })
  return newest
}
