/**
 * The bounds of payloads, apart from the schemas: pages keep to them without carrying a validator.
 * Lengths are in characters, amounts in pounds.
 */
export const NAME_LENGTH_MAX = 120
export const ADDRESS_LINE_LENGTH_MAX = 120
export const EMAIL_LENGTH_MAX = 254
export const REASON_LENGTH_MAX = 500
export const VULNERABILITY_NOTE_LENGTH_MAX = 1_000
export const PROJECT_POUNDS_MAX = 1_000_000
export const INCOME_POUNDS_MAX = 10_000_000
export const SYSTEM_KWP_MAX = 1_000
export const BATTERY_KWH_MAX = 1_000
/** For ids and hashes, which are compared and never shown. */
export const REFERENCE_LENGTH_MAX = 256
