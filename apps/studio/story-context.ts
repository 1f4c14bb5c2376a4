import { createContext } from 'react'
import type { Told } from '../broker/audit/story.ts'

/** The story of the whole case: the reasons of a record name others. */
export const StoryContext = createContext<readonly Told[]>([])
