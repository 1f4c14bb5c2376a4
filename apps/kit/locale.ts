/** The language of the pages, for numbers, dates and speech; their words stand in `words.ts`. */
export const LOCALE = 'en-GB'
