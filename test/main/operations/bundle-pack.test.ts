/** A packed bundle holds the files of the bundle, byte for byte, and of a database of large events it is small. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NodeFileSystem } from '../../../src-core/index.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { requests } from '../../../src-main/contract/operations/operation-contract.ts';
import { operationContext } from '../../../src-main/operations/operation.ts';
import { runReportOperation } from '../../../src-main/operations/operation-table.ts';
import { guidsFrom } from '../../support/crash-database.ts';
import { Prng } from '../../support/prng.ts';

let root = '';
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-packs-'));
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

function context() {
  return operationContext({
    operation: 'runBundle',
    dataDirectory: '',
    fileSystem: new NodeFileSystem(),
    signal: new AbortController().signal,
    clock: () => Date.UTC(2026, 10, 23),
    onProgress: () => undefined,
    onLog: () => undefined
  });
}

/** Names and bytes of the plain files of an archive. */
function filesOf(archive: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (let at = 0; archive[at] !== 0;) {
    const text = (from: number, to: number) =>
      archive.toString('latin1', at + from, at + to).replace(/\0.*$/s, '');
    const size = Number.parseInt(text(124, 136), 8);
    expect(text(257, 262)).toBe('ustar');
    files.set(text(0, 100), archive.subarray(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}

describe('a packed bundle', () => {
  it('holds the files of the bundle and takes a small part of the source', async () => {
    const source = path.join(root, 'source');
    const target = path.join(root, 'bundle');
    const packFile = path.join(root, 'bundle.tar.zst');
    fs.mkdirSync(source);
    const prng = new Prng(4);
    const newGuid = guidsFrom(4);
    const writer = LogWriter.create({
      fileSystem: new NodeFileSystem(),
      directory: source,
      chunkSizeBytes: 1024 * 1024,
      newGuid
    });
    const appender = new EventAppender({
      writer,
      lastEventNumber: () => -1,
      now: () => 639_000_000_000_000_000n + BigInt(writer.position),
      newGuid
    });
    for (let i = 0; i < 1500; i++) {
      const data = Buffer.from(JSON.stringify({ secret: Buffer.from(prng.bytes(2000)).toString('base64') }));
      appender.append(`order-${i % 97}`, [{ eventType: 'placed', data }]);
    }
    writer.close();

    const request = requests.runBundle.parse({
      dataDirectory: source,
      to: target,
      headersOnly: true,
      packFile
    });
    const report = await runReportOperation('runBundle', request, context());
    const packed = fs.readFileSync(packFile);
    expect(report).toMatchObject({ packFile, packedBytes: packed.length });
    expect(packed.length).toBeLessThan(report.sourceBytes / 20);
    const files = filesOf(zstdDecompressSync(packed));
    const wanted = fs
      .readdirSync(target, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile());
    expect(files.size).toBe(wanted.length);
    for (const { parentPath, name } of wanted) {
      const file = path.join(parentPath, name);
      const inside = `bundle/${path.relative(target, file).split(path.sep).join('/')}`;
      expect(files.get(inside)?.equals(fs.readFileSync(file)), inside).toBe(true);
    }
  });
});
