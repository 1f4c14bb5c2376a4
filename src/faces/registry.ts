import { callerFace } from './caller-face.ts'
import type { Face } from './face.ts'
import { recordsFace } from './records-face.ts'

/** The faces that `?view=` chooses from, the default first. */
export const THREAD_FACES: readonly Face[] = [recordsFace, callerFace]
