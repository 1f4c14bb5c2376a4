/**
 * Makes each stream of this page that lost its connection try again at once: they wait for the browser's
 * word that the network is back.
 */
export function reconnect(): void {
  dispatchEvent(new Event('online'))
}
