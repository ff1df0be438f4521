/** A packed bundle holds the files of the bundle, byte for byte, and of a database of large events it is small. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EngineError, NodeFileSystem, OperationControl } from '../../../src-core/index.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { requests } from '../../../src-main/contract/operations/operation-contract.ts';
import { packBundle } from '../../../src-main/operations/bundle/pack-bundle.ts';
import { runReportOperation } from '../../../src-main/operations/operation-table.ts';
import { CountingFileSystem } from '../../support/counting-file-system.ts';
import { guidsFrom } from '../../support/crash-database.ts';
import { Prng } from '../../support/prng.ts';
import { testingContext } from '../../support/testing-context.ts';

let root = '';
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-packs-'));
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

function context() {
  return testingContext('runBundle', { clock: () => Date.UTC(2026, 10, 23) });
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

function filesBelow(directory: string): string[] {
  const entries = fs.readdirSync(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => path.relative(directory, path.join(parentPath, name))).sort();
}

function contentOf(directory: string): Record<string, string> {
  return Object.fromEntries(
    filesBelow(directory).map((file) => [file, fs.readFileSync(path.join(directory, file), 'base64')])
  );
}

describe('a packed bundle', () => {
  it('leaves no file open, and nothing of itself, where packing is stopped or its files change', async () => {
    const directory = path.join(root, 'bundle');
    const file = path.join(root, 'bundle.winnow');
    fs.mkdirSync(directory);
    fs.writeFileSync(path.join(directory, 'chunk-000000.000000'), Buffer.alloc(4_000_000, 7));
    const stopping = new AbortController();
    const parts = { elapsedMs: () => 0, yieldTurn: () => Promise.resolve() };
    const stopped = new OperationControl({
      ...parts,
      signal: stopping.signal,
      onProgress: () => stopping.abort()
    });
    const cut = new OperationControl({
      ...parts,
      onProgress: () => fs.truncateSync(path.join(directory, 'chunk-000000.000000'), 2_500_000)
    });
    for (const [control, error] of [
      [stopped, { name: 'OperationStopped' }],
      [
        cut,
        { code: 'StorageFailed', message: expect.stringContaining('it ends at offset 2500000') as string }
      ]
    ] as const) {
      const fileSystem = new CountingFileSystem(new NodeFileSystem());
      const packed = packBundle({ directory, file }, { ...context(), fileSystem, control });
      await expect(packed).rejects.toMatchObject(error);
      expect(fileSystem.openFiles).toBe(0);
      expect(fs.readdirSync(root)).toEqual(['bundle']);
    }
  });

  it('holds the files of the bundle, takes a small part of the source, and becomes the same directory', async () => {
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

    // Alone, with the same key, it is the same; and the directory that it takes is not there any more.
    const alone = path.join(root, 'alone.tar.zst');
    const keyFile = `${target}.key`;
    // As a run leaves it that was killed while it packed.
    fs.cpSync(target, `${alone}.making`, { recursive: true });
    const askedAlone = { dataDirectory: source, headersOnly: true, packFile: alone, keyFile };
    const made = await runReportOperation('runBundle', requests.runBundle.parse(askedAlone), context());
    expect(made).toMatchObject({ target: alone, packFile: alone, packedBytes: fs.statSync(alone).size });
    const filesAlone = filesOf(zstdDecompressSync(fs.readFileSync(alone)));
    expect([...filesAlone.keys()]).toEqual([...files.keys()]);
    expect(fs.readdirSync(root).filter((name) => name.startsWith('alone'))).toEqual(['alone.tar.zst']);
    await expect(
      runReportOperation('runBundle', requests.runBundle.parse({ dataDirectory: source }), context())
    ).rejects.toMatchObject({ code: 'InvalidRequest' });

    const again = path.join(root, 'again');
    const asked = requests.unpackBundle.parse({ packFile, to: again });
    const plan = await runReportOperation('planUnpackBundle', asked, context());
    expect(fs.existsSync(again)).toBe(false);
    expect(await runReportOperation('unpackBundle', asked, context())).toEqual(plan);
    expect(plan).toMatchObject({ files: files.size, packedBytes: packed.length, headersOnly: true });
    expect(contentOf(again)).toEqual(contentOf(target));
    const blocksOf = (directory: string) =>
      filesBelow(directory).reduce((sum, file) => sum + fs.statSync(path.join(directory, file)).blocks, 0);
    // Zeros are holes, where the disk knows holes.
    expect(blocksOf(again)).toBeLessThanOrEqual(blocksOf(target) + 8 * files.size);
    const inspected = requests.verifyDatabase.parse({ dataDirectory: again });
    expect(await runReportOperation('verifyDatabase', inspected, context())).toMatchObject({ ok: true });

    for (let cut = 0; cut < packed.length; cut += Math.ceil(packed.length / 40)) {
      const cutFile = path.join(root, 'cut.tar.zst');
      fs.writeFileSync(cutFile, packed.subarray(0, cut));
      const to = path.join(root, 'of-cut');
      const request = requests.unpackBundle.parse({ packFile: cutFile, to });
      const error: unknown = await runReportOperation('unpackBundle', request, context()).catch(
        (reason: unknown) => reason
      );
      if (!(error instanceof EngineError)) throw new Error(`cut at ${cut}: not refused`);
      if (cut >= 100) expect(error.code, `cut at ${cut}`).toBe('LogCorrupt');
      expect(error.message).toContain(cutFile);
      expect(fs.existsSync(to) || fs.existsSync(`${to}.partial`)).toBe(false);
    }
    const flipped = Buffer.from(packed);
    flipped[packed.length >> 1]! ^= 1;
    fs.writeFileSync(path.join(root, 'flipped.tar.zst'), flipped);
    const ofFlipped = requests.unpackBundle.parse({
      packFile: path.join(root, 'flipped.tar.zst'),
      to: path.join(root, 'of-flipped')
    });
    await expect(runReportOperation('unpackBundle', ofFlipped, context())).rejects.toMatchObject({
      code: 'LogCorrupt'
    });
    expect(fs.existsSync(path.join(root, 'of-flipped.partial'))).toBe(false);
  });
});
