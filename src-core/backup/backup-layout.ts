/**
 * Where things lie in a backup target. Pure.
 *
 *   TARGET/<id>/manifest.json     written last: without it there is no backup, only an unfinished one
 *   TARGET/<id>/signature.json    where a key signs; written before the manifest
 *   TARGET/<id>/progress.json     of an unfinished one: what is there already
 *   TARGET/<id>/results.json      what later verifications and rehearsals found
 *   TARGET/<id>/data/...          the data directory, names as in the source
 *   TARGET/<id>/index/...         the index directory
 *
 * So a plain backup is restored by hand with a copy command. Decision: docs/decisions/0009-backup-layout.md.
 */
import { ticksToIso } from '../units/ticks.ts';

export type BackupArea = 'data' | 'index';

export const MANIFEST_NAME = 'manifest.json';
export const PROGRESS_NAME = 'progress.json';
export const SIGNATURE_NAME = 'signature.json';
export const RESULTS_NAME = 'results.json';

const ID = /^\d{8}T\d{6}Z-[0-9a-f]{4}$/;

/** `20261121T050000Z-4f2a`: when it began, and four hex digits that keep two of one second apart. */
export function backupId(now: bigint, random: string): string {
  const iso = ticksToIso(now);
  return `${iso.slice(0, 19).replaceAll(/[-:]/g, '')}Z-${random.replaceAll('-', '').slice(0, 4).toLowerCase()}`;
}

export function isBackupId(name: string): boolean {
  return ID.test(name);
}

export function manifestObject(id: string): string {
  return `${id}/${MANIFEST_NAME}`;
}

export function signatureObject(id: string): string {
  return `${id}/${SIGNATURE_NAME}`;
}

export function progressObject(id: string): string {
  return `${id}/${PROGRESS_NAME}`;
}

export function resultsObject(id: string): string {
  return `${id}/${RESULTS_NAME}`;
}

/** `suffix` tells of an encoding, as `.zst`; empty for a plain file. */
export function fileObject(id: string, area: BackupArea, name: string, suffix = ''): string {
  return `${id}/${area}/${name}${suffix}`;
}

/** The id of the backup in whose folder an object lies. */
export function idOfObject(object: string): string {
  return object.slice(0, Math.max(0, object.indexOf('/')));
}

/** A relative name that leads nowhere else: manifests come from outside, and their names are joined to paths. */
export function isSafeName(name: string): boolean {
  // eslint would take a control character in a pattern for a mistake; here it is what must not pass.
  const hasOddCharacter = [...name].some((character) => character === '\\' || character < ' ');
  return (
    name.length > 0 &&
    name.length < 1024 &&
    !hasOddCharacter &&
    !/^[A-Za-z]:/.test(name) &&
    name.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  );
}
