/**
 * A small S3 server of its own for a test, on a free port and in a temporary directory. It takes any signature of
 * the key it knows: it reckons those of listings differently than the stores do.
 */
import fs from 'node:fs';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';

interface S3rver {
  httpServer: Server;
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
}
type S3rverClass = new (options: Record<string, unknown>) => S3rver;

const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as S3rverClass;
export const S3_BUCKET = 'backups';
const KEY = 'S3RVER';

export interface S3Server {
  endpoint: string;
  /** Ends at once, open connections too. */
  stop(): Promise<void>;
  /** Stops if need be, and removes its files. */
  remove(): Promise<void>;
}

export async function startS3Server(): Promise<S3Server> {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-s3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    allowMismatchedSignatures: true,
    configureBuckets: [{ name: S3_BUCKET, configs: [] }]
  });
  const { port } = await server.run();
  let isRunning = true;
  const stop = async (): Promise<void> => {
    if (!isRunning) return;
    isRunning = false;
    const closed = server.close();
    server.httpServer.closeAllConnections();
    await closed;
  };
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop,
    remove: async () => {
      await stop();
      fs.rmSync(directory, { recursive: true, force: true });
    }
  };
}

/** What the client finds in its environment; nothing of the machine that runs the test. */
export const S3_ENVIRONMENT: Readonly<Record<string, string | undefined>> = {
  AWS_ACCESS_KEY_ID: KEY,
  AWS_SECRET_ACCESS_KEY: KEY,
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_CONFIG_FILE: '/nowhere',
  AWS_SHARED_CREDENTIALS_FILE: '/nowhere',
  AWS_PROFILE: undefined,
  AWS_SESSION_TOKEN: undefined,
  AWS_ENDPOINT_URL: undefined,
  AWS_ENDPOINT_URL_S3: undefined
};
