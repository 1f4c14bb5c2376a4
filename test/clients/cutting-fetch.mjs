/** A `fetch` that cuts the stream of one connection after some frames, between two of them. */
export function cuttingFetch({ connection, frames }) {
  const seen = { connections: 0 }
  const cutting = async (input, init) => {
    const response = await fetch(input, init)
    if (++seen.connections !== connection || !response.body) return response
    return new Response(response.body.pipeThrough(cutAfter(frames)), response)
  }
  return { fetch: cutting, seen }
}

function cutAfter(frames) {
  let text = ''
  let seen = 0
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  return new TransformStream({
    transform(bytes, controller) {
      text += decoder.decode(bytes, { stream: true })
      const whole = text.split('\n\n')
      text = whole.pop() ?? ''
      for (const frame of whole) {
        if (seen++ < frames) controller.enqueue(encoder.encode(`${frame}\n\n`))
        else return controller.error(new TypeError('terminated'))
      }
    },
  })
}
