/** Goes on with work that the page does not wait for; the browser reports its failure as an uncaught error. */
export function inBackground(work: Promise<unknown> | undefined): void {
  work?.catch((error: unknown) => reportError(error))
}
