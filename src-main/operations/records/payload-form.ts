/** Payloads in the requested form, and the hashes that rows have instead of them. */
import { hash } from 'node:crypto';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';

export type DataForm = CheckedRequestOf<'listRecords'>['data'];

const EMPTY_SHA256 = hash('sha256', new Uint8Array(0), 'hex');

/** Lower-case hex. */
export function sha256Of(bytes: Uint8Array): string {
  return bytes.length === 0 ? EMPTY_SHA256 : hash('sha256', bytes, 'hex');
}

/** The bytes as text; undefined if not requested. */
export function payloadText(bytes: Buffer, form: DataForm): string | undefined {
  return form === 'none' ? undefined : bytes.toString(form);
}
