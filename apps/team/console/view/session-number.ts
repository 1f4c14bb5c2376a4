/** The number of a session among those of its day, from `team-2026-11-28-2`. */
export function sessionNumber(id: string): string {
  return /-(\d+)$/.exec(id)?.[1] ?? id
}
