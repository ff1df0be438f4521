/** An object store keeps the contract of backup targets, and its failures are told apart, without secrets. */
import net from 'node:net';
import type { ListObjectsV2Command, ListObjectsV2CommandOutput, S3Client } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NodeFileSystem } from '../../../../src-core/index.ts';
import { openTarget, splitBackupName, type OpenTarget } from '../../../../src-main/backup/open-target.ts';
import { S3BackupTarget } from '../../../../src-main/backup/targets/s3-target.ts';
import { useS3Credentials } from '../../../support/s3-credentials.ts';
import { S3_BUCKET, startS3Server, type S3Server } from '../../../support/s3-server.ts';
import { bytesOf, content, largeContent, testTargetContract, textOf } from './contract.ts';

const MIB = 1024 * 1024;
const SECRET = 'wJalrXUtnFEMI-a-secret';

function openS3(
  server: Pick<S3Server, 'endpoint'>,
  location = `s3://${S3_BUCKET}/of/node 1`
): Promise<OpenTarget> {
  const fileSystem = new NodeFileSystem();
  return openTarget({ location, fileSystem, threads: 2, mustExist: false, s3Endpoint: server.endpoint });
}

testTargetContract('an object store', async () => {
  useS3Credentials();
  const server = await startS3Server();
  const open = await openS3(server);
  return {
    target: open.target,
    takeAway: () => server.stop(),
    close: async () => {
      await open.close();
      await server.remove();
      vi.unstubAllEnvs();
    }
  };
});

describe('an object store', () => {
  let server: S3Server;
  const opened: OpenTarget[] = [];
  const open = async (location?: string, at: Pick<S3Server, 'endpoint'> = server) => {
    const one = await openS3(at, location);
    opened.push(one);
    return one.target;
  };

  beforeEach(async () => {
    useS3Credentials();
    server = await startS3Server();
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
    await server.remove();
    vi.unstubAllEnvs();
  });

  it('keeps to its prefix, with or without a slash at the end', async () => {
    const outer = await open(`s3://${S3_BUCKET}`);
    const inner = await open(`s3://${S3_BUCKET}/of/a/`);
    const beside = await open(`s3://${S3_BUCKET}/of/ab`);
    await inner.write('x/y', content('inner'));
    await beside.write('x/z', content('beside'));
    expect((await inner.list('')).map(({ name }) => name)).toEqual(['x/y']);
    expect(await textOf(await open(`s3://${S3_BUCKET}/of/a`), 'x/y')).toBe('inner');
    expect((await outer.list('')).map(({ name }) => name)).toEqual(['of/a/x/y', 'of/ab/x/z']);
    expect(inner.description).toBe(`s3://${S3_BUCKET}/of/a`);
  });

  it('asks on until the list is complete', async () => {
    const pages: ListObjectsV2CommandOutput[] = [
      {
        $metadata: {},
        Contents: [{ Key: 'p/a/1', Size: 1 }],
        IsTruncated: true,
        NextContinuationToken: 'more'
      },
      { $metadata: {}, Contents: [{ Key: 'p/a/2', Size: 2 }, { Key: 'p/a/' }], IsTruncated: false }
    ];
    const asked: (string | undefined)[] = [];
    const send = ({ input }: ListObjectsV2Command) => {
      asked.push(input.ContinuationToken);
      return Promise.resolve(pages[asked.length - 1]);
    };
    const client = { send } as unknown as S3Client;
    const target = new S3BackupTarget({ client, bucket: 'b', prefix: 'p/', parallelFiles: 1 });
    expect(await target.list('a/')).toEqual([
      { name: 'a/1', size: 1 },
      { name: 'a/2', size: 2 }
    ]);
    expect(asked).toEqual([undefined, 'more']);
  });

  it('takes its address from the environment too', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL', server.endpoint);
    const one = await openTarget({
      location: `s3://${S3_BUCKET}`,
      fileSystem: new NodeFileSystem(),
      threads: 1,
      mustExist: true
    });
    opened.push(one);
    expect(await one.target.folders()).toEqual([]);
  });

  it('refuses unknown credentials, and its words hold no secret', async () => {
    useS3Credentials({ key: 'AKIAUNKNOWN', secret: SECRET });
    const target = await open();
    const attempts: (() => Promise<unknown>)[] = [
      () => target.folders(),
      () => target.describe('a/b'),
      () => textOf(target, 'a/b'),
      () => target.write('a/b', content('x')),
      () => target.write('a/b', largeContent(45)),
      () => target.remove('a/b')
    ];
    for (const attempt of attempts) {
      const thrown: unknown = await attempt().catch((error: unknown) => error);
      expect(thrown).toMatchObject({ code: 'StorageFailed', details: { bucket: S3_BUCKET } });
      const { message, remedy, details, cause } = thrown as Error & { remedy: string; details: unknown };
      expect(message).toContain('credentials');
      expect(remedy).toContain('AWS_ACCESS_KEY_ID');
      expect(cause).toBeUndefined();
      expect(JSON.stringify([message, remedy, details])).not.toMatch(/AKIAUNKNOWN|wJalr/);
    }
  });

  it('says that a bucket does not exist', async () => {
    const target = await open('s3://nobody-has-this');
    for (const attempt of [() => target.folders(), () => target.write('a/b', content('x'))]) {
      await expect(attempt()).rejects.toThrow('there is no bucket nobody-has-this');
    }
  });

  it('leaves no object when the store goes away in the middle of it, and says so', async () => {
    const target = await open();
    const writing = target.write(
      'a/large',
      largeContent(45, () => server.stop())
    );
    await expect(writing).rejects.toMatchObject({
      code: 'StorageFailed',
      message: expect.stringMatching(/a\/large .* does not answer \(ECONN/) as string
    });
  });

  it('says so when the store goes away in the middle of a read', async () => {
    const target = await open();
    await target.write('a/large', largeContent(20));
    const reading = async () => {
      for await (const block of target.read('a/large')) {
        expect(block.length).toBeGreaterThan(0);
        await server.stop();
      }
    };
    await expect(reading()).rejects.toMatchObject({ code: 'StorageFailed', details: { file: 'a/large' } });
  });

  it('resumes a read where the connection broke off', async () => {
    await (await open()).write('a/large', largeContent(8));
    const line = await startBreakingLine(server.endpoint, 5 * MIB);
    try {
      const target = await open(undefined, line);
      const expected: Uint8Array[] = [];
      for await (const block of largeContent(8)) expected.push(block);
      expect((await bytesOf(target, 'a/large')).equals(Buffer.concat(expected))).toBe(true);
      expect(line.breaks()).toBeGreaterThanOrEqual(1);
    } finally {
      await line.close();
    }
  });

  it.each([
    's3://',
    's3:///prefix',
    's3://UPPER/x',
    's3://a/x',
    's3://bucket/a//b',
    's3://bucket/../b',
    'gs://bucket/x',
    'https://user:secret@host/bucket'
  ])('is not named by %s', async (location) => {
    const thrown: unknown = await open(location).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: 'InvalidRequest' });
    expect((thrown as Error).message).not.toContain('secret');
  });

  it.each(['ftp://host', 'host:9000', 'https://user:secret@host'])('has no address %s', async (endpoint) => {
    const thrown: unknown = await open(undefined, { endpoint }).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: 'InvalidRequest', details: { field: '--s3-endpoint' } });
    expect((thrown as Error).message).not.toContain('secret');
  });

  it('is named with a backup in it', () => {
    expect(splitBackupName('s3://backups/of/node@20260101T000000Z-abcd')).toEqual({
      location: 's3://backups/of/node',
      id: '20260101T000000Z-abcd'
    });
  });
});

/** A line to the server that breaks each connection after so many bytes of answers. */
async function startBreakingLine(
  endpoint: string,
  bytes: number
): Promise<{ endpoint: string; breaks: () => number; close: () => Promise<void> }> {
  const { hostname, port } = new URL(endpoint);
  let breaks = 0;
  const ends = new Set<() => void>();
  const line = net.createServer((near) => {
    const far = net.connect(Number(port), hostname);
    let left = bytes;
    const end = (): void => {
      near.destroy();
      far.destroy();
      ends.delete(end);
    };
    ends.add(end);
    far.on('data', (block) => {
      left -= block.length;
      if (left > 0) near.write(block);
      else {
        breaks++;
        end();
      }
    });
    near.on('data', (block) => far.write(block));
    for (const socket of [near, far]) socket.on('error', end).on('close', end);
  });
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
  const address = line.address();
  if (address === null || typeof address === 'string') throw new Error('The line has no port.');
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    breaks: () => breaks,
    close: () => {
      for (const end of ends) end();
      return new Promise((resolve) => line.close(() => resolve()));
    }
  };
}
