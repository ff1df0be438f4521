/**
 * The metadata of a stream out of the data of its metadata event, read exactly as the server reads it: leniently
 * where it is lenient, and with no rule at all where it gives up. A stricter or a more forgiving reader would let
 * a scavenge delete other events than the server does.
 * Never throws, never checks flags or names: the caller decides whether a record counts.
 * Format: docs/format/stream-metadata.md.
 */
import { INT64_MAX } from '../units/event-number.ts';
import { LenientJson, MalformedJson } from './lenient-json.ts';

export interface StreamMetadata {
  /** Only the last so many events are visible. Positive. */
  maxCount: bigint | null;
  /** Events older than this are hidden. Positive. */
  maxAgeSeconds: bigint | null;
  /** Events below this number are hidden; 2^63-1: soft deleted. */
  truncateBefore: bigint | null;
  cacheControlSeconds: bigint | null;
  temporary: boolean | null;
  /** `$r`, `$w`, `$d`, `$mr`, `$mw` as far as present: a role or an array of roles, as written. */
  acl: Record<string, unknown> | null;
}

/** No metadata, and what anything the server cannot read amounts to. */
export const EMPTY_METADATA: StreamMetadata = Object.freeze({
  maxCount: null,
  maxAgeSeconds: null,
  truncateBefore: null,
  cacheControlSeconds: null,
  temporary: null,
  acl: null
});

/** 2^63-1 ticks of 100 ns in whole seconds: the server keeps spans of time in ticks. */
const MAX_SPAN_SECONDS = 922337203685n;
/** "Deleted" in records written before event numbers had 64 bits. */
const LEGACY_DELETED = 2147483647n;
const ACL_NAMES = ['$r', '$w', '$d', '$mr', '$mw'];

/** Metadata of `data`; EMPTY_METADATA when it is empty, malformed, or a known member has a wrong type. */
export function parseStreamMetadata(data: Uint8Array, options: { recordVersion: number }): StreamMetadata {
  if (data.length === 0) return EMPTY_METADATA;
  try {
    return readMetadata(new LenientJson(decodeText(data)), options.recordVersion);
  } catch (error) {
    if (error instanceof MalformedJson) return EMPTY_METADATA;
    throw error;
  }
}

/** UTF-8 unless a byte order mark says otherwise; invalid sequences become U+FFFD. */
function decodeText(data: Uint8Array): string {
  if (data[0] === 0xff && data[1] === 0xfe) return new TextDecoder('utf-16le').decode(data);
  if (data[0] === 0xfe && data[1] === 0xff) return new TextDecoder('utf-16be').decode(data);
  return UTF_8.decode(data);
}

/** Making one costs more than decoding a metadata record. */
const UTF_8 = new TextDecoder('utf-8');

/** Stops at the closing brace: what follows is not read. Of a repeated member the last one counts. */
function readMetadata(json: LenientJson, recordVersion: number): StreamMetadata {
  if (json.readValue().kind !== 'object') throw new MalformedJson('the root is no object');
  const metadata = { ...EMPTY_METADATA };
  let isFirst = true;
  for (let name = json.nextName({ isFirst }); name !== undefined; name = json.nextName({ isFirst })) {
    isFirst = false;
    switch (name) {
      case '$maxCount':
        metadata.maxCount = readInteger(json);
        break;
      case '$maxAge':
        metadata.maxAgeSeconds = readSpan(json);
        break;
      case '$tb':
        metadata.truncateBefore = readInteger(json);
        break;
      case '$cacheControl':
        metadata.cacheControlSeconds = readSpan(json);
        break;
      case '$tmp':
        metadata.temporary = readBoolean(json);
        break;
      case '$acl':
        metadata.acl = readAcl(json);
        break;
      default:
        json.skipRest(json.readValue());
    }
  }
  const { maxCount, maxAgeSeconds, truncateBefore, cacheControlSeconds } = metadata;
  return {
    ...metadata,
    maxCount: atLeast(1n, maxCount),
    maxAgeSeconds: atLeast(1n, maxAgeSeconds),
    truncateBefore:
      recordVersion === 0 && truncateBefore === LEGACY_DELETED ? INT64_MAX : atLeast(0n, truncateBefore),
    cacheControlSeconds: atLeast(1n, cacheControlSeconds)
  };
}

/** A value below the least one that makes sense is ignored by itself, it does not spoil the others. */
function atLeast(least: bigint, value: bigint | null): bigint | null {
  return value !== null && value >= least ? value : null;
}

function readInteger(json: LenientJson): bigint {
  const value = json.readValue();
  if (value.kind !== 'integer') throw new MalformedJson('not a whole number of 64 bits');
  return value.value;
}

function readSpan(json: LenientJson): bigint {
  const seconds = readInteger(json);
  const isInRange = seconds <= MAX_SPAN_SECONDS && seconds >= -MAX_SPAN_SECONDS;
  if (!isInRange) throw new MalformedJson('a longer time than the server can hold');
  return seconds;
}

function readBoolean(json: LenientJson): boolean {
  const value = json.readValue();
  if (value.kind !== 'boolean') throw new MalformedJson('neither true nor false');
  return value.value;
}

function readAcl(json: LenientJson): Record<string, unknown> {
  if (json.readValue().kind !== 'object') throw new MalformedJson('the list of rights is no object');
  const acl: Record<string, unknown> = {};
  let isFirst = true;
  for (let name = json.nextName({ isFirst }); name !== undefined; name = json.nextName({ isFirst })) {
    isFirst = false;
    if (!ACL_NAMES.includes(name)) throw new MalformedJson('unknown right');
    acl[name] = readRoles(json);
  }
  return acl;
}

function readRoles(json: LenientJson): string | string[] {
  const start = json.readValue();
  if (start.kind === 'string') return start.value;
  if (start.kind !== 'array') throw new MalformedJson('roles are neither text nor array');
  const roles: string[] = [];
  for (let isFirst = true; json.nextElement({ isFirst }); isFirst = false) {
    const role = json.readValue();
    if (role.kind !== 'string') throw new MalformedJson('a role is no text');
    roles.push(role.value);
  }
  return roles;
}
