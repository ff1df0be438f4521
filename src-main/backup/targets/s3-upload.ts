/**
 * Uploads one object to an object store: small ones in one request, large ones in parts side by side that the store
 * joins at the end. Until then nothing exists under the name, and the parts of a failed upload are discarded.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { PutObjectCommand, UploadPartCommand, type S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';

export interface ObjectPlace {
  client: S3Client;
  bucket: string;
  key: string;
}

/** All parts but the last have the same size, as some stores require; 10,000 of them, their limit, are 390 GiB. */
const PART_BYTES = 40 * 1024 * 1024;
/** Each is in memory, and so is the one that is being filled. */
const PARTS_AT_ONCE = 2;

/** Returns the number of bytes sent. */
export async function uploadObject(place: ObjectPlace, content: AsyncIterable<Uint8Array>): Promise<number> {
  const state: UploadState = { sentBytes: 0 };
  const upload = new Upload({
    client: checkedClient(place.client, state),
    params: { Bucket: place.bucket, Key: place.key, Body: Readable.from(copied(content, state)) },
    partSize: PART_BYTES,
    queueSize: PARTS_AT_ONCE
  });
  try {
    await upload.done();
  } catch (error) {
    // The library would report that it could not discard the parts instead of why it had to.
    throw state.failure ?? error;
  }
  return state.sentBytes;
}

interface UploadState {
  sentBytes: number;
  /** Of the first part that the store did not take, or of the content. */
  failure?: unknown;
}

/** Copies: the library gathers blocks for a part, and the caller may reuse their memory. */
async function* copied(content: AsyncIterable<Uint8Array>, state: UploadState): AsyncIterable<Uint8Array> {
  try {
    for await (const block of content) {
      // One part has failed: without this the other senders would first send all the rest.
      if (state.failure !== undefined) return;
      state.sentBytes += block.length;
      yield Buffer.from(block);
    }
  } catch (error) {
    state.failure ??= error;
    throw error;
  }
}

/** Sends an MD5 with every body, so that the store refuses bytes that were changed in transit, and notes failures. */
function checkedClient(client: S3Client, state: UploadState): S3Client {
  const send = async (command: Parameters<S3Client['send']>[0]): Promise<unknown> => {
    if (command instanceof PutObjectCommand || command instanceof UploadPartCommand) {
      command.input.ContentMD5 = createHash('md5')
        .update(command.input.Body as Uint8Array)
        .digest('base64');
    }
    try {
      return await client.send(command);
    } catch (error) {
      state.failure ??= error;
      throw error;
    }
  };
  return Object.create(client, { send: { value: send } }) as S3Client;
}
