/**
 * Event numbers. On disk int64; in memory a number. The one value above 2^53 that exists is the number of a
 * tombstone, 2^63-1: it maps to DELETED_STREAM_EVENT_NUMBER (the nearest double, 2^63), which orders
 * correctly above every real number. A record stores its number minus one ("expected version").
 */
export type EventNumber = number & { readonly unit: 'EventNumber' };

/** 2^63-1 on disk: number of a tombstone, and the "truncate before" of a soft delete. */
export const DELETED_STREAM_EVENT_NUMBER = (2 ** 63) as EventNumber;
/** 2^31-1: number of a tombstone in index tables written before numbers had 64 bits. */
export const LEGACY_DELETED_STREAM_EVENT_NUMBER = 2147483647 as EventNumber;
export const INT64_MAX = 0x7fffffffffffffffn;

/** The number as int64, for places that need exact bytes or decimal digits. */
export function eventNumberToBigInt(value: number): bigint {
  return value >= DELETED_STREAM_EVENT_NUMBER ? INT64_MAX : BigInt(value);
}

/** An int64 from disk or SQLite as an event number; values above 2^53 other than 2^63-1 lose precision upward. */
export function eventNumberFromBigInt(value: bigint): EventNumber {
  return Number(value) as EventNumber;
}

/** As the contract writes event numbers: a number, or a decimal string above 2^53-1. */
export function eventNumberToJson(value: number): number | string {
  return value > Number.MAX_SAFE_INTEGER ? eventNumberToBigInt(value).toString() : value;
}

/** The expected version of a prepare as JSON: a tombstone's is 9223372036854775806. */
export function expectedVersionToJson(value: number): number | string {
  return value >= DELETED_STREAM_EVENT_NUMBER ? '9223372036854775806' : value;
}
