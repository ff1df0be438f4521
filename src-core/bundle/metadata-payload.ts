/**
 * The metadata of a stream in a bundle: its rules and its rights, with other names for the roles, and blanks up to the
 * length that must be kept. What the server does not read of it is not there. Whatever the form was (single quotes, names
 * without quotes, numbers in another base), what is written is read as the same rules; that is checked each time.
 */
import { EMPTY_METADATA, parseStreamMetadata, type StreamMetadata } from '../records/stream-metadata.ts';
import { INT64_MAX } from '../units/event-number.ts';
import { blankJson, putJson } from './blank-payload.ts';
import type { NameMap } from './name-map.ts';

const SPACE = 0x20;
const LEGACY_DELETED = 2147483647n;

/** What became of it: the rules always find room, the rights may not. */
export type RewrittenMetadata = 'same' | 'withoutRights';

export function replaceMetadata(data: Uint8Array, recordVersion: number, names: NameMap): RewrittenMetadata {
  if (data.length === 0) return 'same';
  const metadata = parseStreamMetadata(data, { recordVersion });
  if (metadata === EMPTY_METADATA) {
    // Malformed, which is shown as no metadata: blanks are so, too.
    data.fill(SPACE);
    return 'same';
  }
  const wanted = withRolesReplaced(metadata, names);
  for (const quote of ['"', '']) {
    for (const isHex of [false, true]) {
      if (putMetadata(data, wanted, { quote, isHex, recordVersion })) return 'same';
    }
  }
  const rules = { ...wanted, acl: null };
  for (const isHex of [false, true]) {
    if (putMetadata(data, rules, { quote: '', isHex, recordVersion })) return 'withoutRights';
  }
  blankJson(data);
  return 'withoutRights';
}

function withRolesReplaced(metadata: StreamMetadata, names: NameMap): StreamMetadata {
  if (!metadata.acl) return metadata;
  const acl: Record<string, unknown> = {};
  for (const [right, roles] of Object.entries(metadata.acl)) {
    acl[right] = Array.isArray(roles)
      ? roles.map((role) => names.role(String(role)))
      : names.role(String(roles));
  }
  return { ...metadata, acl };
}

interface Form {
  /** Around names of members. */
  quote: string;
  isHex: boolean;
  recordVersion: number;
}

/** Writes it when it fits and reads as what is wanted. */
function putMetadata(data: Uint8Array, wanted: StreamMetadata, form: Form): boolean {
  const text = metadataText(wanted, form);
  const bytes = Buffer.alloc(data.length);
  if (!putJson(bytes, text)) return false;
  const read = parseStreamMetadata(bytes, { recordVersion: form.recordVersion });
  if (!isSameMetadata(read, wanted)) return false;
  data.set(bytes);
  return true;
}

function metadataText(metadata: StreamMetadata, { quote, isHex, recordVersion }: Form): string {
  const { maxCount, maxAgeSeconds, truncateBefore, cacheControlSeconds, temporary, acl } = metadata;
  const number = (value: bigint) => (isHex ? `0x${value.toString(16)}` : value.toString());
  const isLegacyDeleted = recordVersion === 0 && truncateBefore === INT64_MAX;
  const members: string[] = [];
  const add = (name: string, value: string) => void members.push(`${quote}${name}${quote}:${value}`);
  if (maxCount !== null) add('$maxCount', number(maxCount));
  if (maxAgeSeconds !== null) add('$maxAge', number(maxAgeSeconds));
  if (truncateBefore !== null) add('$tb', number(isLegacyDeleted ? LEGACY_DELETED : truncateBefore));
  if (cacheControlSeconds !== null) add('$cacheControl', number(cacheControlSeconds));
  if (temporary !== null) add('$tmp', String(temporary));
  if (acl) {
    const rights = Object.entries(acl).map(
      ([right, roles]) => `${quote}${right}${quote}:${rolesText(roles)}`
    );
    add('$acl', `{${rights.join()}}`);
  }
  return `{${members.join()}}`;
}

function rolesText(roles: unknown): string {
  return Array.isArray(roles)
    ? `[${roles.map((role) => quoted(String(role))).join()}]`
    : quoted(String(roles));
}

/** As short as possible: only what must be is escaped, with the quotes that need it less. */
function quoted(text: string): string {
  const count = (quote: string) => text.split(quote).length;
  const quote = count('"') > count("'") ? "'" : '"';
  return quote + text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`) + quote;
}

/** Both are read by the same parser, so members are in the same order and compare as text. */
export function isSameMetadata(a: StreamMetadata, b: StreamMetadata): boolean {
  return (
    a.maxCount === b.maxCount &&
    a.maxAgeSeconds === b.maxAgeSeconds &&
    a.truncateBefore === b.truncateBefore &&
    a.cacheControlSeconds === b.cacheControlSeconds &&
    a.temporary === b.temporary &&
    JSON.stringify(a.acl) === JSON.stringify(b.acl)
  );
}
