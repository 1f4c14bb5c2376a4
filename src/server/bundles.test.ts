import { expect, test } from 'vitest'
import { BUNDLE_BYTES_MAX } from './routes/bundle.ts'
import type { Caller } from './index.ts'
import { mounted, responder } from './mounted-routes.fixture.ts'

const HOSTILE =
  '</script><script>alert(1)</script><!-- <script> </style> \u2028 \ud800 \t "quoted" \\u003c'
const AUDITOR = { role: 'auditor', actor: 'ann' }

async function threadWith(texts: readonly string[]) {
  const { http, throughline } = await mounted()
  const events = texts.map((what) => ({ type: 'reported', data: { what } }))
  await throughline.propose('t', events)
  return async (path: string, caller: Caller = AUDITOR): Promise<Response> => {
    const headers = { caller: JSON.stringify(caller) }
    return http.fetch(new Request(`http://any.example/api/threads/t/${path}`, { headers }))
  }
}

/** The lines that a bundle holds, with the sign that stands in for "<" put back. */
function exportIn(html: string): string {
  const [, block = ''] = /<script type="text\/plain" id="export">([^<]*)<\/script>/.exec(html) ?? []
  return block.replaceAll('\t', '<')
}

const blocksIn = (html: string) => html.split('</script>').length - 1

test('a bundle holds the export of its reader, byte by byte, and what the server says of it', async () => {
  const ask = await threadWith(['The shop is down', HOSTILE])
  for (const [caller, records] of [
    [AUDITOR, 'as stored'],
    [responder, 'in part'],
  ] as const) {
    const answer = await ask('bundle', caller)
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="thread.html"')
    const html = await answer.text()
    expect(exportIn(html)).toBe(await (await ask('export', caller)).text())
    const [, about = ''] = /id="about-json">([^<]*)</.exec(html) ?? []
    expect(JSON.parse(about)).toMatchObject({
      thread: 't',
      records,
      verdict: { ok: true, head: 1 },
    })
  }
})

test('[X10] no text of a record ends the block that holds it', async () => {
  const plain = await (await (await threadWith(['smoke']))('bundle')).text()
  const hostile = await (await (await threadWith([HOSTILE]))('bundle')).text()
  expect(blocksIn(hostile)).toBe(blocksIn(plain))
  expect(hostile).not.toContain('<script>alert')
  expect(hostile).toContain("default-src 'none'")
})

test('a thread that is larger than a bundle is refused, and the answer says what to do', async () => {
  const text = 'x'.repeat(1_000_000)
  const ask = await threadWith(
    Array.from({ length: Math.ceil(BUNDLE_BYTES_MAX / text.length) }, () => text),
  )
  const answer = await ask('bundle')
  expect(answer.status).toBe(413)
  expect(await answer.json()).toMatchObject({
    code: 'too_large',
    detail: expect.stringContaining('take the export') as string,
  })
  // A refusal holds no quota.
  expect((await ask('bundle')).status).toBe(413)
  expect((await ask('bundle')).status).toBe(413)
})
