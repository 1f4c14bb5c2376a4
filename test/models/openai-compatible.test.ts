import { test } from 'vitest'
import { openCompatible } from './compatible-server.fixture.ts'
import { fastClock } from './fast-clock.fixture.ts'
import { providerContract } from './provider-contract.fixture.ts'
import { hostileContract } from './provider-hostile.fixture.ts'
import { thoughtContract } from './provider-thoughts.fixture.ts'

const contract = [...providerContract, ...thoughtContract, ...hostileContract]

test.each(contract)('[M5] OpenAI-compatible: $name', ({ run }) => {
  fastClock()
  return run(openCompatible)
})
