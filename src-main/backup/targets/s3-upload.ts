/**
 * Uploads one object to an object store: small ones in one request, large ones in parts that the store joins
 * at the end. Until then nothing exists under the name, and the parts of a failed upload are
 * discarded.
 */
import { createHash } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
  type CompletedPart,
  type S3Client
} from '@aws-sdk/client-s3';

export interface ObjectPlace {
  client: S3Client;
  bucket: string;
  key: string;
}

/**
 * All parts but the last have the same size, as some stores require, up to the number at which objects would hit the limit of
 * 10,000 parts; after that they are larger: 390 GiB fit.
 */
const PART_BYTES = 16 * 1024 * 1024;
const LARGE_PART_BYTES = 64 * 1024 * 1024;
const SMALL_PARTS = 5000;

/** Returns the number of bytes sent. */
export async function uploadObject(place: ObjectPlace, content: AsyncIterable<Uint8Array>): Promise<number> {
  let upload: MultipartUpload | undefined;
  const gathered = new GatheredBytes();
  let sent = 0;
  try {
    for await (const block of content) {
      for (let rest = block; rest.length > 0;) {
        const size = (upload?.parts ?? 0) < SMALL_PARTS ? PART_BYTES : LARGE_PART_BYTES;
        // Only now is it known that this part is not the last one.
        if (gathered.length === size) {
          upload ??= await MultipartUpload.begin(place);
          await upload.send(gathered.take());
        }
        const fitting = rest.subarray(0, size - gathered.length);
        gathered.add(fitting);
        sent += fitting.length;
        rest = rest.subarray(fitting.length);
      }
    }
    if (upload) {
      await upload.send(gathered.take());
      await upload.complete();
    } else await putWhole(place, gathered.take());
    return sent;
  } catch (error) {
    // Report the first failure; the store must remove what is left of the parts.
    await upload?.giveUp().catch(() => undefined);
    throw error;
  }
}

/** With it the store refuses bytes that were changed in transit. */
function md5Of(body: Uint8Array): string {
  return createHash('md5').update(body).digest('base64');
}

async function putWhole({ client, bucket, key }: ObjectPlace, body: Uint8Array): Promise<void> {
  await client.send(
    new PutObjectCommand({
      Bucket: bucket,
      Key: key,
      Body: body,
      ContentLength: body.length,
      ContentMD5: md5Of(body)
    })
  );
}

class MultipartUpload {
  readonly #place: ObjectPlace;
  readonly #uploadId: string | undefined;
  readonly #parts: CompletedPart[] = [];

  private constructor(place: ObjectPlace, uploadId: string | undefined) {
    this.#place = place;
    this.#uploadId = uploadId;
  }

  static async begin(place: ObjectPlace): Promise<MultipartUpload> {
    const { client, bucket, key } = place;
    const begun = await client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key: key }));
    return new MultipartUpload(place, begun.UploadId);
  }

  get parts(): number {
    return this.#parts.length;
  }

  async send(body: Uint8Array): Promise<void> {
    const number = this.#parts.length + 1;
    const { ETag } = await this.#place.client.send(
      new UploadPartCommand({
        ...this.#identity,
        PartNumber: number,
        Body: body,
        ContentLength: body.length,
        ContentMD5: md5Of(body)
      })
    );
    this.#parts.push({ ETag, PartNumber: number });
  }

  async complete(): Promise<void> {
    await this.#place.client.send(
      new CompleteMultipartUploadCommand({ ...this.#identity, MultipartUpload: { Parts: this.#parts } })
    );
  }

  async giveUp(): Promise<void> {
    await this.#place.client.send(new AbortMultipartUploadCommand(this.#identity));
  }

  get #identity(): { Bucket: string; Key: string; UploadId: string | undefined } {
    return { Bucket: this.#place.bucket, Key: this.#place.key, UploadId: this.#uploadId };
  }
}

/** Blocks waiting to become a part. */
class GatheredBytes {
  #blocks: Uint8Array[] = [];
  length = 0;

  /** Keeps a copy: the caller may reuse the block's memory. */
  add(block: Uint8Array): void {
    this.#blocks.push(block.slice());
    this.length += block.length;
  }

  take(): Uint8Array {
    const bytes = Buffer.concat(this.#blocks, this.length);
    this.#blocks = [];
    this.length = 0;
    return bytes;
  }
}
