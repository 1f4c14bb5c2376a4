/** Returns the tag that a model writes for an event. */
export function eventTag(type: string, data: object): string {
  return `<agent-event type="${type}" data='${JSON.stringify(data)}' />`
}
