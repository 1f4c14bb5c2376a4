// Serves the agents of other makers on loopback: `/mastra` and `/tanstack`, and `…/cut` for a cut answer.
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { mastraResponse } from './mastra.mjs'
import { tanstackResponse } from './tanstack.mjs'

const responses = { mastra: mastraResponse, tanstack: tanstackResponse }
const FRAMES_UNTIL_CUT = 4

const server = createServer(async (request, answer) => {
  const [, name, isCut] = request.url.split('/')
  const response = await responses[name](await json(request))
  answer.writeHead(response.status, Object.fromEntries(response.headers))
  let frames = 0
  for await (const chunk of response.body) {
    await new Promise((resolve) => answer.write(chunk, resolve))
    frames += Buffer.from(chunk).toString().split('\n\n').length - 1
    if (isCut && frames >= FRAMES_UNTIL_CUT) return answer.destroy()
  }
  answer.end()
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`)
})
// Ends with the test that started it.
process.stdin.on('end', () => process.exit(0)).resume()
