/** The language of the pages, for numbers, dates and speech; their words are in `words.ts`. */
export const LOCALE = 'en-GB'
