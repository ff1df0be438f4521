/**
 * Values of the contract as JSON for a browser. Bytes, which the window gets unchanged, become
 * `{"$bytes": base64}`; src-renderer/api/served-json.ts converts them back. Numbers that JSON cannot hold are sent as text.
 */
export function pageJson(value: unknown): string {
  return JSON.stringify(value ?? null, (_name, member: unknown) => {
    if (member instanceof Uint8Array) return { $bytes: Buffer.from(member).toString('base64') };
    return typeof member === 'bigint' ? String(member) : member;
  });
}
