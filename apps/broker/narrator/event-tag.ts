/** One event as a model writes it into its text. */
export function eventTag(type: string, data: object): string {
  return `<agent-event type="${type}" data='${JSON.stringify(data)}' />`
}
