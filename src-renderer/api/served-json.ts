/** Values as a service sends them: JSON, in which bytes are `{"$bytes": base64}` (src-main/http/ui/page-json.ts). */
export function parseServedJson(text: string): unknown {
  return JSON.parse(text, (_name, member: unknown) => {
    if (typeof member !== 'object' || member === null) return member;
    const { $bytes } = member as { $bytes?: unknown };
    return typeof $bytes === 'string' ? bytesOf($bytes) : member;
  }) as unknown;
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
