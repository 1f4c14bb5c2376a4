import { test } from 'vitest'
import { openGoogle } from './google-server.fixture.ts'
import { fastClock } from './fast-clock.fixture.ts'
import { providerContract } from './provider-contract.fixture.ts'
import { hostileContract } from './provider-hostile.fixture.ts'
import { thoughtContract } from './provider-thoughts.fixture.ts'

/** Gemini gives arguments as an object, never as a text that could be no object. */
const hostile = hostileContract.filter(({ name }) => !name.startsWith('arguments are'))
const contract = [...providerContract, ...thoughtContract, ...hostile]

test.each(contract)('[M5] Google: $name', ({ run }) => {
  fastClock()
  return run(openGoogle)
})
