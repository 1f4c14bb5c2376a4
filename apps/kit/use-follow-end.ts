import { useEffect, useState, useSyncExternalStore } from 'react'
import { EndFollower } from './end-follower.ts'

export interface FollowEnd extends Pick<
  EndFollower,
  'end' | 'latest' | 'showEnd' | 'follow' | 'grow'
> {
  /** Whether a new item is out of sight, because the person has scrolled away. */
  readonly unread: 'none' | 'some'
}

/** Follows the end of a list; `version` changes whenever something new stands there. */
export function useFollowEnd(version: string): FollowEnd {
  const [follower] = useState(() => new EndFollower())
  const unread = useSyncExternalStore(follower.subscribe, follower.unread)
  useEffect(() => follower.watch(), [follower])
  useEffect(() => follower.grow(), [follower, version])
  const { end, latest, showEnd, follow, grow } = follower
  return { end, latest, unread, showEnd, follow, grow }
}
