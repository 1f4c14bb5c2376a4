import { ClientError } from './client-error.ts'

/**
 * Reads a whole body as text, up to a bound.
 *
 * @throws {@link ClientError} `network` when the body is cut, `protocol` when it is longer
 */
export async function readText(response: Response, charsMax: number): Promise<string> {
  const reader = response.body?.getReader()
  if (reader === undefined) return ''
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw new ClientError('network', 'Cannot read the answer: it was cut', { cause })
    })
    if (done) return text + decoder.decode()
    text += decoder.decode(value, { stream: true })
    if (text.length > charsMax) {
      await reader.cancel()
      throw new ClientError('protocol', `Cannot read the answer: it exceeds ${charsMax} characters`)
    }
  }
}
