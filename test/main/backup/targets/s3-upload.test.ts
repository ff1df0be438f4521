/** Large objects go up in parts side by side; a part that fails ends the upload at once and leaves nothing behind. */
import { createHash } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
  type S3Client
} from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { uploadObject } from '../../../../src-main/backup/targets/s3-upload.ts';

const MIB = 1024 * 1024;

interface FakeStore {
  client: S3Client;
  /** Names of the commands in the order of their ends. */
  commands: string[];
  parts: Map<number, string>;
  mostAtOnce: number;
}

function fakeStore(refuse: (partNumber: number) => Error | undefined = () => undefined): FakeStore {
  const store: FakeStore = { client: {} as S3Client, commands: [], parts: new Map(), mostAtOnce: 0 };
  let running = 0;
  const send = async (command: object): Promise<unknown> => {
    store.mostAtOnce = Math.max(store.mostAtOnce, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    store.commands.push(command.constructor.name);
    if (command instanceof CreateMultipartUploadCommand) return { UploadId: 'u' };
    if (!(command instanceof UploadPartCommand || command instanceof PutObjectCommand)) return {};
    const body = command.input.Body as Uint8Array;
    const md5 = createHash('md5').update(body).digest('base64');
    expect(command.input.ContentMD5).toBe(md5);
    const number = command instanceof UploadPartCommand ? (command.input.PartNumber ?? 0) : 0;
    const refusal = refuse(number);
    if (refusal) throw refusal;
    store.parts.set(number, md5);
    return { ETag: md5 };
  };
  const config = {
    requestHandler: {},
    requestChecksumCalculation: () => Promise.resolve('WHEN_REQUIRED'),
    endpoint: () => Promise.resolve({ protocol: 'http:', hostname: 'store', port: 80 }),
    forcePathStyle: true
  };
  store.client = { send, config } as unknown as S3Client;
  return store;
}

/** One buffer for all blocks, as a reader of files has it. `read` says how many blocks were asked for. */
async function* blocks(count: number, read: { blocks: number }): AsyncIterable<Uint8Array> {
  const block = Buffer.alloc(MIB);
  for (let i = 0; i < count; i++) {
    block.writeUInt32LE(i);
    read.blocks++;
    await Promise.resolve();
    yield block;
  }
}

it('sends a small object in one request', async () => {
  const store = fakeStore();
  expect(await uploadObject({ client: store.client, bucket: 'b', key: 'k' }, blocks(3, { blocks: 0 }))).toBe(
    3 * MIB
  );
  expect(store.commands).toEqual([PutObjectCommand.name]);
});

it('sends an empty object', async () => {
  const store = fakeStore();
  expect(await uploadObject({ client: store.client, bucket: 'b', key: 'k' }, blocks(0, { blocks: 0 }))).toBe(
    0
  );
  expect(store.commands).toEqual([PutObjectCommand.name]);
});

it('sends a large one in parts of equal size, two at once, with the bytes of its blocks', async () => {
  const store = fakeStore();
  const place = { client: store.client, bucket: 'b', key: 'k' };
  expect(await uploadObject(place, blocks(100, { blocks: 0 }))).toBe(100 * MIB);
  const whole: Buffer[] = [];
  for await (const block of blocks(100, { blocks: 0 })) whole.push(Buffer.from(block));
  const part = (from: number, to: number) =>
    createHash('md5')
      .update(Buffer.concat(whole.slice(from, to)))
      .digest('base64');
  expect(Object.fromEntries(store.parts)).toEqual({ 1: part(0, 40), 2: part(40, 80), 3: part(80, 100) });
  expect(store.mostAtOnce).toBe(2);
  expect(store.commands.at(-1)).toBe(CompleteMultipartUploadCommand.name);
});

it('ends soon after a part fails, with the failure, and discards the parts', async () => {
  const store = fakeStore((number) => (number === 2 ? new Error('SlowDown') : undefined));
  const read = { blocks: 0 };
  const place = { client: store.client, bucket: 'b', key: 'k' };
  await expect(uploadObject(place, blocks(1000, read))).rejects.toThrow('SlowDown');
  expect(read.blocks).toBeLessThan(200);
  expect(store.commands.at(-1)).toBe(AbortMultipartUploadCommand.name);
  expect(store.commands).not.toContain(CompleteMultipartUploadCommand.name);
});

it('fails as its content failed', async () => {
  const store = fakeStore();
  async function* broken(): AsyncIterable<Uint8Array> {
    yield* blocks(50, { blocks: 0 });
    throw new Error('the disk is gone');
  }
  await expect(uploadObject({ client: store.client, bucket: 'b', key: 'k' }, broken())).rejects.toThrow(
    'the disk is gone'
  );
  expect(store.commands.at(-1)).toBe(AbortMultipartUploadCommand.name);
});
