/** The environment of a test under vitest that speaks to the S3 server of `s3-server.ts`. */
import { vi } from 'vitest';
import { S3_ENVIRONMENT } from './s3-server.ts';

/** By default those that the server knows. */
export function useS3Credentials({ key, secret }: { key?: string; secret?: string } = {}): void {
  for (const [name, value] of Object.entries(S3_ENVIRONMENT)) vi.stubEnv(name, value);
  if (key !== undefined) vi.stubEnv('AWS_ACCESS_KEY_ID', key);
  if (secret !== undefined) vi.stubEnv('AWS_SECRET_ACCESS_KEY', secret);
}
