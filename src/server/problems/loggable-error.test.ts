import { expect, test } from 'vitest'
import { InvariantError } from '../../assert/index.ts'
import { LogError } from '../../log/index.ts'
import { loggableError } from './loggable-error.ts'

const SARAH = 'Sarah Jones, born 1984-03-02'

test('[X13] of an error that may quote a person the log gets its kind, its code and its place', () => {
  const answer = Object.assign(new Error(`cannot take "${SARAH}"`), {
    code: 'ECONNRESET',
    requestBodyValues: { prompt: SARAH },
    responseBody: SARAH,
  })
  const error = new SyntaxError(`Unexpected token in\n    "${SARAH}"`, { cause: answer })
  const told = loggableError(error)
  expect(JSON.stringify(told)).not.toContain('Sarah')
  expect(told).toMatchObject({
    type: 'SyntaxError',
    stack: expect.arrayContaining([expect.stringContaining('loggable-error.test.ts')]),
    cause: { type: 'Error', code: 'ECONNRESET' },
  })
})

test('an error of code or storage is logged in full', () => {
  for (const error of [
    new InvariantError('Cannot replay: expected seq 4, got 6'),
    new LogError('corrupt', 'Cannot open the store: it is damaged'),
    new TypeError('x is not a function'),
  ]) {
    expect(loggableError(error)).toMatchObject({ message: error.message })
  }
})

test('[X13] a thrown value that is no error, or is endless, is not logged either', () => {
  expect(loggableError(SARAH)).toEqual({ type: 'string' })
  const endless = new Error(SARAH)
  endless.cause = endless
  expect(JSON.stringify(loggableError(endless))).not.toContain('Sarah')
})
