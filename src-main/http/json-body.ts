/** Bodies of calls that are JSON: whether one says to be, and what is in it. */
import { parseDocument } from '../contract/document-bounds.ts';

export function isJson(contentType: string | undefined): boolean {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  return /^application\/(?:[^\s/]+\+)?json$/.test(type);
}

/** undefined: not JSON, or more of it than any call needs. */
export function parsedBody(body: unknown): unknown {
  try {
    return parseDocument(typeof body === 'string' ? body : '');
  } catch {
    return undefined;
  }
}
