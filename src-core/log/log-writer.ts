/**
 * Appends records to the end of a log, with the server's order of flushes: chunk bytes, fsync, writer.chk, fsync,
 * chaser.chk. A record that does not fit completes the chunk and is encoded again for the next one. Cut anywhere,
 * everything below writer.chk is whole and what lies behind it does not count.
 *
 * One process at a time: the caller holds the directory's lock. Format: docs/format/log.md, "Appending".
 */
import { createHash, type Hash } from 'node:crypto';
import { assert } from '../assert.ts';
import { invalidRequest, logCorrupt } from '../errors.ts';
import { CHUNK_FOOTER_LENGTH, MD5_LENGTH, encodeChunkFooterHead } from '../chunks/chunk-footer.ts';
import { encodeChunkFileName } from '../chunks/chunk-file-name.ts';
import {
  CHUNK_HEADER_LENGTH,
  FIRST_ALIGNED_VERSION,
  NEWEST_CHUNK_VERSION,
  encodeChunkHeader,
  type ChunkHeader
} from '../chunks/chunk-header.ts';
import { CHUNK_ALIGNMENT, completedFileSize } from '../chunks/chunk-writer.ts';
import { FRAME_LENGTH } from '../records/log-record.ts';
import { requireUnchanged } from '../storage/unchanged-file.ts';
import type { FileSystem, OpenFile } from '../storage/file-system.ts';
import { writeCheckpointFile } from './checkpoint-file.ts';
import type { ChunkSet } from './chunk-set.ts';

const BUFFER_BYTES = 1024 * 1024;
/** Up to this version the server creates the next chunk as soon as one is completed, later when it is needed. */
const LAST_EAGER_VERSION = 3;

/** Encodes a record's payload for the position it will get; called again if the record moves to the next chunk. */
export type RecordEncoder = (position: number, transactionPosition: number) => Uint8Array;

export interface OpenLogWriter {
  fileSystem: FileSystem;
  directory: string;
  /** Random GUIDs for chunk ids and temporary names. */
  newGuid: () => string;
}

export interface NewLog extends OpenLogWriter {
  chunkSizeBytes: number;
  /** Format version of the chunks, the newest unless an older one is wanted. */
  version?: number;
}

interface ActiveChunk {
  file: OpenFile;
  header: ChunkHeader;
  fileName: string;
  /** Bytes of records, also those still in the buffer. */
  dataSize: number;
  /** Offset in the file behind the bytes written so far. */
  fileEnd: number;
  md5: Hash;
}

export class LogWriter {
  readonly chunkSizeBytes: number;
  readonly #fileSystem: FileSystem;
  readonly #directory: string;
  readonly #newGuid: () => string;
  readonly #version: number;
  #active: ActiveChunk | undefined;
  /** Number of the chunk that holds the next record. */
  #chunkNumber: number;
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  readonly #length = new Uint8Array(4);
  readonly #lengthView = new DataView(this.#length.buffer);
  #buffered = 0;
  #recordCount = 0;

  private constructor(
    parts: OpenLogWriter,
    sizes: { chunkSizeBytes: number; version: number; chunkNumber: number }
  ) {
    this.#fileSystem = parts.fileSystem;
    this.#directory = parts.directory;
    this.#newGuid = parts.newGuid;
    this.chunkSizeBytes = sizes.chunkSizeBytes;
    this.#version = sizes.version;
    this.#chunkNumber = sizes.chunkNumber;
  }

  /** Starts a log in an existing directory without one: all checkpoints, no chunk until the first record. */
  static create(parts: NewLog): LogWriter {
    const writer = new LogWriter(parts, {
      chunkSizeBytes: parts.chunkSizeBytes,
      version: parts.version ?? NEWEST_CHUNK_VERSION,
      chunkNumber: 0
    });
    for (const [name, value] of [
      ['writer', 0],
      ['chaser', 0],
      ['epoch', -1],
      ['proposal', -1],
      ['truncate', -1]
    ] as const) {
      writer.#checkpoint(name, value);
    }
    return writer;
  }

  /**
   * Continues after the last record of an existing log. The log must be whole at its end: no problem among the
   * set's that the server would refuse.
   */
  static open(parts: OpenLogWriter, set: ChunkSet): LogWriter {
    const version = set.chunks.reduce((newest, chunk) => Math.max(newest, chunk.header.version), 0);
    const writer = new LogWriter(parts, {
      chunkSizeBytes: set.chunkSizeBytes,
      version: version === 0 ? NEWEST_CHUNK_VERSION : Math.max(version, FIRST_ALIGNED_VERSION),
      chunkNumber: Math.floor(set.writerPosition / set.chunkSizeBytes)
    });
    const active = set.chunks.find((chunk) => chunk.isActive);
    if (active) {
      writer.#active = writer.#reopen(active.fileName, active.path, active.header, active.dataSize);
      return writer;
    }
    const last = set.chunks.at(-1);
    if (last && !last.isCompleted) {
      writer.#chunkNumber = last.endNumber;
      writer.#active = writer.#reopen(last.fileName, last.path, last.header, last.dataSize);
      try {
        writer.completeChunk();
      } catch (error) {
        writer.abandon();
        throw error;
      }
    }
    return writer;
  }

  /** Position of the next record. */
  get position(): number {
    return this.#chunkNumber * this.chunkSizeBytes + (this.#active?.dataSize ?? 0);
  }

  /** Records appended by this writer. */
  get recordCount(): number {
    return this.#recordCount;
  }

  /** Appends one record and gives its position. */
  append(encode: RecordEncoder): number {
    return this.appendTogether([encode])[0]!;
  }

  /** Appends the records of one write: all in one chunk, all with the position of the first as transaction. */
  appendTogether(encoders: readonly RecordEncoder[]): number[] {
    const encodeAll = () => {
      const positions: number[] = [];
      const payloads: Uint8Array[] = [];
      const first = this.position;
      let position = first;
      for (const encode of encoders) {
        const payload = encode(position, first);
        positions.push(position);
        payloads.push(payload);
        position += payload.length + FRAME_LENGTH;
      }
      return { positions, payloads, size: position - first };
    };
    let write = encodeAll();
    if (write.size > this.chunkSizeBytes) {
      throw invalidRequest(
        `A write of ${write.size} bytes does not fit a chunk of ${this.chunkSizeBytes}.`,
        'chunkSizeBytes'
      );
    }
    if ((this.#active?.dataSize ?? 0) + write.size > this.chunkSizeBytes) {
      this.completeChunk();
      write = encodeAll();
    }
    const active = (this.#active ??= this.#createChunk());
    for (const payload of write.payloads) {
      this.#lengthView.setInt32(0, payload.length, true);
      this.#put(this.#length);
      this.#put(payload);
      this.#put(this.#length);
    }
    active.dataSize += write.size;
    this.#recordCount += write.payloads.length;
    return write.positions;
  }

  /** Returns once all appended records and the checkpoints that count them are on disk. */
  flush(): void {
    if (this.#active) {
      this.#writeBuffer();
      this.#active.file.sync();
    }
    this.#checkpoint('writer', this.position);
    this.#checkpoint('chaser', this.position);
  }

  /** Names the latest epoch record. Called after the flush that made it durable. */
  setEpoch(position: number): void {
    this.#checkpoint('epoch', position);
  }

  setProposal(number: number): void {
    this.#checkpoint('proposal', number);
  }

  /** Completes the chunk being written; the next record goes to the start of the next one. */
  completeChunk(): void {
    const active = this.#active;
    if (!active) return;
    this.#writeBuffer();
    const { file, dataSize, header } = active;
    const fileSize = completedFileSize({ dataSize, mapSize: 0, version: header.version });
    const padding = Buffer.alloc(fileSize - CHUNK_FOOTER_LENGTH - CHUNK_HEADER_LENGTH - dataSize);
    const head = encodeChunkFooterHead({ physicalDataSize: dataSize, logicalDataSize: dataSize, mapSize: 0 });
    const md5 = active.md5.update(padding).update(head).digest();
    assert(md5.length === MD5_LENGTH, 'an MD5 has 16 bytes');
    file.write(padding, 0, padding.length, CHUNK_HEADER_LENGTH + dataSize);
    const footer = Buffer.concat([head, md5]);
    file.write(footer, 0, footer.length, fileSize - CHUNK_FOOTER_LENGTH);
    file.sync();
    file.truncate(fileSize);
    file.sync(); // the server leaves this to chance; the length is what a reader finds the footer by
    file.close();
    this.#active = undefined;
    this.#chunkNumber++;
    this.#checkpoint('writer', this.position);
    this.#checkpoint('chaser', this.position);
    if (this.#version <= LAST_EAGER_VERSION) this.#active = this.#createChunk();
  }

  /** Flushes and closes the file; the writer is not used again. */
  close(): void {
    try {
      this.flush();
    } finally {
      this.#active?.file.close();
    }
  }

  /** After a failure: closes the file and writes nothing more; what writer.chk does not count was never appended. */
  abandon(): void {
    this.#active?.file.close();
  }

  #createChunk(): ActiveChunk {
    const header: ChunkHeader = {
      version: this.#version,
      minCompatibleVersion: Math.min(this.#version, FIRST_ALIGNED_VERSION),
      chunkSizeBytes: this.chunkSizeBytes,
      startNumber: this.#chunkNumber,
      endNumber: this.#chunkNumber,
      isScavenged: false,
      chunkId: this.#newGuid(),
      transformType: 0
    };
    const fileName = encodeChunkFileName({ chunkNumber: this.#chunkNumber, fileVersion: 0 });
    const path = this.#fileSystem.join(this.#directory, fileName);
    const temporary = this.#fileSystem.join(this.#directory, `${fileName}.${this.#newGuid()}.tmp`);
    const encoded = encodeChunkHeader(header);
    const file = this.#fileSystem.open(temporary, 'createNew');
    try {
      const bare = CHUNK_HEADER_LENGTH + this.chunkSizeBytes + CHUNK_FOOTER_LENGTH;
      file.truncate(Math.ceil(bare / CHUNK_ALIGNMENT) * CHUNK_ALIGNMENT);
      file.write(encoded, 0, encoded.length, 0);
      file.sync();
    } finally {
      file.close();
    }
    this.#giveToOwner(temporary);
    this.#fileSystem.rename(temporary, path);
    this.#fileSystem.syncDirectory(this.#directory);
    return {
      file: this.#fileSystem.open(path, 'readWrite'),
      header,
      fileName,
      dataSize: 0,
      fileEnd: CHUNK_HEADER_LENGTH,
      md5: createHash('md5').update(encoded)
    };
  }

  /** A server that runs as another user must be able to continue the chunk: it gets the owner of writer.chk. */
  #giveToOwner(path: string): void {
    const writer = this.#fileSystem.describe(this.#fileSystem.join(this.#directory, 'writer.chk'));
    const facts = this.#fileSystem.describe(path);
    if (!writer || !facts || (writer.uid === facts.uid && writer.gid === facts.gid)) return;
    this.#fileSystem.changeOwner(path, writer.uid, writer.gid);
  }

  /** Opens a chunk to go on writing: unaligned ones become version 3 first, as in the server. */
  #reopen(fileName: string, path: string, header: ChunkHeader, dataSize: number): ActiveChunk {
    const facts = this.#fileSystem.describe(path);
    requireUnchanged(facts !== undefined, fileName, 'it is gone');
    if ((facts.mode & 0o200) === 0) this.#fileSystem.changeMode(path, facts.mode | 0o200);
    const file = this.#fileSystem.open(path, 'readWrite');
    try {
      return this.#readBegun(file, { fileName, header, dataSize });
    } catch (error) {
      file.close();
      throw error;
    }
  }

  #readBegun(
    file: OpenFile,
    { fileName, header, dataSize }: Pick<ActiveChunk, 'fileName' | 'header' | 'dataSize'>
  ): ActiveChunk {
    let current = header;
    if (header.version < FIRST_ALIGNED_VERSION) {
      current = { ...header, version: FIRST_ALIGNED_VERSION, minCompatibleVersion: FIRST_ALIGNED_VERSION };
      const encoded = encodeChunkHeader(current);
      file.write(encoded, 0, encoded.length, 0);
      file.sync();
    }
    const md5 = createHash('md5');
    const end = CHUNK_HEADER_LENGTH + dataSize;
    for (let at = 0; at < end;) {
      const count = file.read(this.#buffer, 0, Math.min(BUFFER_BYTES, end - at), at);
      if (count === 0) {
        throw logCorrupt(`${fileName} ends at byte ${at}, its records reach byte ${end}.`, {
          file: fileName,
          offset: at
        });
      }
      md5.update(this.#buffer.subarray(0, count));
      at += count;
    }
    return { file, header: current, fileName, dataSize, fileEnd: end, md5 };
  }

  #put(bytes: Uint8Array): void {
    let done = 0;
    while (done < bytes.length) {
      const part = Math.min(bytes.length - done, BUFFER_BYTES - this.#buffered);
      this.#buffer.set(bytes.subarray(done, done + part), this.#buffered);
      this.#buffered += part;
      done += part;
      if (this.#buffered === BUFFER_BYTES) this.#writeBuffer();
    }
  }

  #writeBuffer(): void {
    const active = this.#active;
    if (!active || this.#buffered === 0) return;
    const bytes = this.#buffer.subarray(0, this.#buffered);
    active.md5.update(bytes);
    active.file.write(bytes, 0, bytes.length, active.fileEnd);
    active.fileEnd += bytes.length;
    this.#buffered = 0;
  }

  #checkpoint(name: 'writer' | 'chaser' | 'epoch' | 'proposal' | 'truncate', value: number): void {
    writeCheckpointFile(this.#fileSystem, this.#fileSystem.join(this.#directory, `${name}.chk`), value);
  }
}
