/**
 * JSON values, read without guessing: members that may be absent, text that means one thing only, and the
 * message of whatever was thrown.
 * It must never know what a value is for.
 *
 * @module
 */
export { PatchError, applyPatch } from './apply-patch.ts'
export { freezeDeep } from './freeze-deep.ts'
export {
  endOf,
  equalJson,
  isJson,
  isJsonArray,
  isJsonObject,
  membersOf,
  ownMember,
  quotedNames,
  shortJson,
  startOf,
  textOf,
} from './json.ts'
export type { Json, JsonObject } from './json.ts'
export type { JsonState, JsonValue } from './json-value.ts'
export { isThrown, thrownMember, thrownMessage } from './thrown.ts'
export { isPromise, kindOf, whyNotAtOnce } from './kind-of.ts'
export { misshapenMember } from './misshapen-member.ts'
export { whyNotJson } from './why-not-json.ts'
export { REDACTED, changeAt, keepOnly, redactAt, redactWhole } from './redact.ts'
export type { KeptMembers } from './redact.ts'
export { JSON_LEVELS_MAX, jsonSize } from './json-size.ts'
export type { JsonLimits } from './strict-json.ts'
export { BODY_DEPTH_MAX, BODY_VALUES_MAX, parseStrictJson } from './strict-json.ts'
export { valueAt } from './value-at.ts'
export { visibleJson, visibleText } from './visible.ts'
export { misspeltMember, nearestName, unknownMember } from './unknown-member.ts'
export type { KnownMembers } from './unknown-member.ts'
