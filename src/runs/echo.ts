import { stripEventTags } from '../inline/index.ts'

/** Whether a tag of the model's repeats one that a person wrote, to the letter or in meaning. */
export function isEcho(
  tag: { readonly type: string; readonly data: unknown; readonly raw: string },
  typedTags: readonly string[],
): boolean {
  const data = JSON.stringify(tag.data)
  return typedTags.some(
    (text) =>
      text.includes(tag.raw) ||
      stripEventTags(text).events.some(
        (typed) => typed.type === tag.type && JSON.stringify(typed.data) === data,
      ),
  )
}
