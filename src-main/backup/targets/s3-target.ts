/**
 * Backups in an S3-compatible object store. It has no hard links, so that a differential backup names the objects of
 * earlier ones, and no locks: leases keep other writers out.
 *
 * Invariants: those of the port; only keys that begin with the prefix are read, written or removed.
 */
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type GetObjectCommandOutput,
  type ListObjectsV2CommandOutput,
  type S3Client
} from '@aws-sdk/client-s3';
import {
  contentOf,
  EngineError,
  OperationStopped,
  readWholeObject,
  type BackupTarget,
  type ByteRange,
  type ObjectFacts
} from '../../../src-core/index.ts';
import { LEASE_FOLDER, takeLease, type Lease, type LeaseStore, type StoredLease } from './s3-lease.ts';
import { thisProcess } from './this-process.ts';
import { isBehindEnd, isMissing, s3Failed } from './s3-failure.ts';
import type { S3Location } from '../../settings/s3-location.ts';
import { uploadObject } from './s3-upload.ts';

export interface S3TargetParts extends S3Location {
  client: S3Client;
  parallelFiles: number;
}

/** Of thousands of objects; removals of many with one request are not known to every store. */
const PARALLEL_REMOVALS = 16;
const MAX_LEASE_BYTES = 4096;
/** How often a broken read is resumed without any further byte in between. */
const MAX_BREAKS = 3;
const DOTS = new Set(['.', '..']);

export class S3BackupTarget implements BackupTarget {
  readonly description: string;
  readonly parallelFiles: number;
  readonly parallelRemovals = PARALLEL_REMOVALS;
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;
  #lease: Lease | undefined;

  constructor({ client, bucket, prefix, parallelFiles }: S3TargetParts) {
    this.description = `s3://${bucket}/${prefix}`.replace(/\/$/, '');
    this.parallelFiles = parallelFiles;
    this.#client = client;
    this.#bucket = bucket;
    this.#prefix = prefix;
  }

  async folders(): Promise<string[]> {
    const found: string[] = [];
    for await (const page of this.#pages(this.#prefix, '/')) {
      for (const { Prefix } of page.CommonPrefixes ?? []) {
        if (Prefix !== undefined) found.push(Prefix.slice(this.#prefix.length, -1));
      }
    }
    return found.sort();
  }

  async list(prefix: string): Promise<ObjectFacts[]> {
    const found: ObjectFacts[] = [];
    for await (const page of this.#pages(this.#prefix + prefix)) {
      for (const { Key, Size } of page.Contents ?? []) {
        const name = Key?.slice(this.#prefix.length) ?? '';
        // Some tools leave an empty object that ends in a slash where they created a "folder".
        if (name !== '' && !name.endsWith('/')) found.push({ name, size: Size ?? 0 });
      }
    }
    // The store sorts by bytes, the port by text order.
    return found.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  }

  async *#pages(prefix: string, delimiter?: string): AsyncIterable<ListObjectsV2CommandOutput> {
    let next: string | undefined;
    do {
      const command = new ListObjectsV2Command({
        Bucket: this.#bucket,
        Prefix: prefix,
        ...(delimiter === undefined ? {} : { Delimiter: delimiter }),
        ...(next === undefined ? {} : { ContinuationToken: next })
      });
      const page = await this.#tried('list', '', () => this.#client.send(command));
      yield page;
      next = page.IsTruncated === true ? page.NextContinuationToken : undefined;
    } while (next !== undefined);
  }

  async describe(name: string): Promise<ObjectFacts | undefined> {
    try {
      const command = new HeadObjectCommand({ Bucket: this.#bucket, Key: this.#keyOf(name) });
      const head = await this.#client.send(command);
      return { name, size: head.ContentLength ?? 0 };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw this.#failed('check', name, error);
    }
  }

  /** A broken connection is reopened at the byte where it broke, as long as the object is the same. */
  async *read(name: string, { offset = 0, length = Infinity }: ByteRange = {}): AsyncIterable<Uint8Array> {
    const range = { at: offset, end: offset + length };
    let tag: string | undefined;
    for (let breaks = 0; range.at < range.end;) {
      const answer = await this.#get(name, range, tag);
      if (!answer) return;
      tag ??= answer.ETag;
      // The rest of the object may be shorter than requested.
      range.end = Math.min(range.end, range.at + (answer.ContentLength ?? Infinity));
      try {
        for await (const block of answer.Body as AsyncIterable<Uint8Array>) {
          range.at += block.length;
          breaks = 0;
          yield block;
        }
        if (range.end === Infinity) return;
        if (range.at < range.end) throw new Error('The connection ended early.');
      } catch (error) {
        if (++breaks > MAX_BREAKS) throw this.#failed('read', name, error);
      }
    }
  }

  /** undefined if the range begins after the end. */
  async #get(
    name: string,
    { at, end }: { at: number; end: number },
    tag: string | undefined
  ): Promise<GetObjectCommandOutput | undefined> {
    const isWhole = at === 0 && end === Infinity;
    const command = new GetObjectCommand({
      Bucket: this.#bucket,
      Key: this.#keyOf(name),
      ...(isWhole ? {} : { Range: `bytes=${at}-${end === Infinity ? '' : end - 1}` }),
      ...(tag === undefined ? {} : { IfMatch: tag })
    });
    try {
      return await this.#client.send(command);
    } catch (error) {
      if (isBehindEnd(error)) return undefined;
      throw this.#failed('read', name, error);
    }
  }

  async write(name: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    this.#requireLease('write', name);
    await this.#writeObject(name, content);
  }

  async #writeObject(name: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const place = { client: this.#client, bucket: this.#bucket, key: this.#keyOf(name) };
    const sent = await this.#tried('write', name, () => uploadObject(place, content));
    const facts = await this.describe(name);
    if (facts?.size === sent) return;
    const what = facts ? `has ${facts.size} of ${sent} bytes` : 'does not exist';
    throw this.#failed('write', name, new Error(`The store took the object, but it ${what}.`));
  }

  async remove(name: string): Promise<void> {
    this.#requireLease('remove', name);
    await this.#removeObject(name);
  }

  async #removeObject(name: string): Promise<void> {
    const command = new DeleteObjectCommand({ Bucket: this.#bucket, Key: this.#keyOf(name) });
    try {
      await this.#client.send(command);
    } catch (error) {
      if (!isMissing(error)) throw this.#failed('remove', name, error);
    }
  }

  link(): Promise<boolean> {
    return Promise.resolve(false);
  }

  freeBytes(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async lock(): Promise<() => Promise<void>> {
    const lease = await takeLease(this.#leaseStore(), thisProcess());
    this.#lease = lease;
    return async () => {
      this.#lease = undefined;
      await lease.release();
    };
  }

  #leaseStore(): LeaseStore {
    const { description } = this;
    return {
      description,
      put: (name, text) => this.#writeObject(name, contentOf(Buffer.from(text))),
      leases: () => this.#leases(),
      read: async (name) => new TextDecoder().decode(await readWholeObject(this, name, MAX_LEASE_BYTES)),
      remove: (name) => this.#removeObject(name)
    };
  }

  async #leases(): Promise<StoredLease[]> {
    const found: StoredLease[] = [];
    for await (const page of this.#pages(this.#prefix + LEASE_FOLDER)) {
      for (const { Key, LastModified } of page.Contents ?? []) {
        const modifiedMs = LastModified?.getTime();
        if (Key !== undefined && modifiedMs !== undefined)
          found.push({ name: Key.slice(this.#prefix.length), modifiedMs });
      }
    }
    return found;
  }

  /** After a long silence of the store others may be at work by now. */
  #requireLease(what: string, name: string): void {
    if (this.#lease?.isLost() !== true) return;
    throw this.#failed(
      what,
      name,
      new Error('The store could not be reached for minutes; others may be writing to it by now.')
    );
  }

  #keyOf(name: string): string {
    // A client or proxy that normalises addresses would map such a name to another object.
    if (name === '' || name.split('/').some((part) => part === '' || DOTS.has(part))) {
      throw this.#failed('use', name, new Error('This is not a name of an object.'));
    }
    return this.#prefix + name;
  }

  async #tried<T>(what: string, object: string, action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (error) {
      throw this.#failed(what, object, error);
    }
  }

  /** An error in the content of an object while it is written is not the store's failure. */
  #failed(what: string, object: string, error: unknown): Error {
    if (error instanceof EngineError || error instanceof OperationStopped) return error;
    return s3Failed({ target: this.description, bucket: this.#bucket, object, what }, error);
  }
}
