import { test } from 'vitest'
import { openMistral } from './mistral-server.fixture.ts'
import { fastClock } from './fast-clock.fixture.ts'
import { providerContract } from './provider-contract.fixture.ts'
import { hostileContract } from './provider-hostile.fixture.ts'
import { thoughtContract } from './provider-thoughts.fixture.ts'

const contract = [...providerContract, ...thoughtContract, ...hostileContract]

test.each(contract)('[M5] Mistral: $name', ({ run }) => {
  fastClock()
  return run(openMistral)
})
