import { test } from 'vitest'
import { MemoryThreadIndex } from './memory-thread-index.ts'
import { threadIndexContract } from './thread-index.contract.ts'

for (const { name, run } of threadIndexContract(() => new MemoryThreadIndex())) test(name, run)
