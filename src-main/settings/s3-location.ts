/** `s3://bucket/prefix`: the name of a place in an object store. Pure. */
import { invalidRequest } from '../../src-core/index.ts';

export interface S3Location {
  bucket: string;
  /** Prefix of each object's name: empty, or ending in `/`. */
  prefix: string;
}

const SCHEME = 's3://';
const BUCKET = /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/;

/** Any `scheme://`: such a name is not a directory, even if its scheme is unknown. */
export function isRemoteLocation(location: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(location);
}

export function parseS3Location(location: string): S3Location {
  const isS3 = location.toLowerCase().startsWith(SCHEME);
  const [bucket = '', ...path] = isS3 ? location.slice(SCHEME.length).split('/') : [];
  // A prefix means the same with or without a slash at its end.
  const folders = path.at(-1) === '' ? path.slice(0, -1) : path;
  const isPlain = folders.every((part) => part !== '' && part !== '.' && part !== '..');
  if (!BUCKET.test(bucket) || !isPlain) {
    throw invalidRequest(
      `${isS3 ? location : hiddenRest(location)} does not name a place in an object store.`,
      'target',
      'Name a directory, or s3://BUCKET/PREFIX.'
    );
  }
  return { bucket, prefix: folders.length === 0 ? '' : `${folders.join('/')}/` };
}

/** An address with another scheme may contain a user and a password. */
function hiddenRest(location: string): string {
  return `${location.slice(0, location.indexOf('://'))}://…`;
}
