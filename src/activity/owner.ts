import type { Origin } from '../log/index.ts'

/** The members of an origin that identify the owner of a wait. */
export type WaitOwner = Pick<Origin, 'agent' | 'path'> & { readonly surface?: string | undefined }

/** Names the surface of a run, or else its agent at depth 0; a surface and an agent never share a name. */
export function ownerOf({ surface, agent = '', path }: WaitOwner): string {
  return surface === undefined ? `agent ${path?.[0] ?? agent}` : `surface ${surface}`
}
