/**
 * Opens `s3://bucket/prefix` with the official client, which is loaded only here and only when needed. Credentials, region
 * and profile come from the client's usual sources: the environment (AWS_…), the files of the AWS tools, the role
 * of the machine. They are never part of a request.
 */
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { invalidRequest } from '../../../src-core/index.ts';
import { parseS3Location } from '../../settings/s3-location.ts';
import { S3BackupTarget } from './s3-target.ts';

export interface S3Request {
  location: string;
  /** Of a store other than Amazon's; else from the environment. */
  endpoint?: string | undefined;
  parallelFiles: number;
  environment: Record<string, string | undefined>;
}

export interface S3Connection {
  target: S3BackupTarget;
  close(): void;
}

const CONNECT_MS = 10_000;
/** Timeout without any byte in either direction. */
const SILENCE_MS = 60_000;
/** Private stores have no regions, but the signature needs a name. */
const ANY_REGION = 'us-east-1';

export function openS3({ location, endpoint, parallelFiles, environment }: S3Request): S3Connection {
  const place = parseS3Location(location);
  const client = new S3Client(configuration(endpoint, environment));
  return {
    target: new S3BackupTarget({ ...place, client, parallelFiles }),
    close: () => client.destroy()
  };
}

function configuration(
  named: string | undefined,
  environment: Record<string, string | undefined>
): S3ClientConfig {
  const endpoint =
    named ?? given(environment['AWS_ENDPOINT_URL_S3']) ?? given(environment['AWS_ENDPOINT_URL']);
  const region = given(environment['AWS_REGION']) ?? given(environment['AWS_DEFAULT_REGION']);
  return {
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: SILENCE_MS },
    // Not every store supports the newer checksums; all support MD5, and the manifest has SHA-256.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    followRegionRedirects: true,
    ...(endpoint === undefined
      ? {}
      : { endpoint: checkedEndpoint(endpoint), forcePathStyle: true, region: region ?? ANY_REGION })
  };
}

function given(value: string | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : value;
}

function checkedEndpoint(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  // The address itself is not repeated: it may contain a password.
  if (!isHttp || url.username !== '' || url.password !== '') {
    throw invalidRequest(
      'The address of the object store is not of the form https://HOST[:PORT], without user and password.',
      '--s3-endpoint',
      'Give only the address; credentials come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.'
    );
  }
  return endpoint;
}
