const LETTERS = /\p{L}/gu
const LATIN = /\p{Script=Latin}/gu
/** Small words of languages that many people in the UK speak, and that English does not have. */
const FOREIGN =
  /(?<![\p{L}'])(?:nie|jest|dzień|proszę|mam|czy|jak|co|się|dziękuję|rozumiem|hola|gracias|cómo|qué|por|para|puedo|está|bonjour|merci|je|vous|est|pas|comment|puis|combien|ich|nicht|und|wie|kann|ist|obrigado|você|não|quanto|posso|buna|bună|cum|este|sunt|mulțumesc|merhaba|nasıl|değil|teşekkürler|ciao|grazie|sono|quanto|beth|sut|dw|rydw|diolch)(?![\p{L}'])/giu
const FOREIGN_WORDS_MIN = 2

/** Whether a text is written in another language than English. Pure. */
export function isForeign(text: string): boolean {
  const letters = text.match(LETTERS)?.length ?? 0
  const latin = text.match(LATIN)?.length ?? 0
  if (letters > 0 && latin < letters / 2) return true
  return (text.match(FOREIGN)?.length ?? 0) >= FOREIGN_WORDS_MIN
}
