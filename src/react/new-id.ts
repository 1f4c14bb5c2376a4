/** Makes a UUID (version 4), on pages that came over plain HTTP too, where `randomUUID` is missing. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte, at) => {
    if (at === 6) return hexOf((byte & 0x0f) | 0x40)
    if (at === 8) return hexOf((byte & 0x3f) | 0x80)
    return hexOf(byte)
  }).join('')
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5')
}

function hexOf(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}
