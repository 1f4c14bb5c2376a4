import { fileURLToPath } from 'node:url'

/** Arguments of Node that start `append-for-a-while.ts` from the sources: tests need no built package. */
export const WRITER: readonly string[] = [
  '--conditions=throughline-source',
  fileURLToPath(new URL('./append-for-a-while.ts', import.meta.url)),
]
