/** When a database was last scavenged: by the runs that are told of, by its files where none is, never by the point. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Replies, RequestOf } from '../../../src-main/contract/operations/operation-contract.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { runOperation } from '../../support/testing-context.ts';

let winnowHome: string;
let nowMs: number;
beforeEach(() => {
  winnowHome = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-last-'));
  nowMs = Date.UTC(2026, 11, 1);
});
afterEach(() => {
  fs.rmSync(winnowHome, { recursive: true, force: true });
  removeUnpacked();
});

/** Each operation takes place a second after the one before. */
function run<N extends keyof Replies>(name: N, request: RequestOf<N>): Promise<Replies[N]> {
  return runOperation(name, request, { clock: () => (nowMs += 1000) });
}

async function lastOf(dataDirectory: string, home: { winnowHome?: string } = { winnowHome }) {
  const { lastScavenged, lastScavengedFrom } = await run('inspectDatabase', { dataDirectory, ...home });
  return { lastScavenged, lastScavengedFrom };
}

const EFFECTIVE_NOW = '2030-05-05T00:00:00Z';

describe('the last scavenge', () => {
  it('is never, where there was none', async () => {
    const dataDirectory = unpackDatabase({ name: 'rules', folder: 'before' });
    expect(await lastOf(dataDirectory)).toEqual({ lastScavenged: null, lastScavengedFrom: 'never' });
  });

  it('of a server is when its run ended, as the log tells', async () => {
    const dataDirectory = unpackDatabase({ name: 'rules', folder: 'after-t0' });
    const { runs } = await run('listHistory', { dataDirectory, winnowHome });
    const found = await lastOf(dataDirectory);
    expect(found).toEqual({ lastScavenged: runs[0]!.endedAt, lastScavengedFrom: 'history' });
    expect(found.lastScavenged).not.toBeNull();
  });

  it.each(['new', 'detached'] as const)(
    'of ours is when the run ended, not the time by which it judged ages (%s)',
    async (scavengePoint) => {
      const dataDirectory = unpackDatabase({ name: 'rules', folder: 'before' });
      const place = { dataDirectory, winnowHome };
      await run('runScavenge', { ...place, scavengePoint, singleNode: true, now: EFFECTIVE_NOW });
      const { runs } = await run('listHistory', place);
      expect(runs[0]!.endedAt).toMatch(/^2026-12-01/);
      expect(await lastOf(dataDirectory)).toEqual({
        lastScavenged: runs[0]!.endedAt,
        lastScavengedFrom: 'history'
      });
    }
  );

  it('that nothing tells of was at the latest when the newest scavenged chunk was written', async () => {
    const dataDirectory = unpackDatabase({ name: 'rules', folder: 'before' });
    await run('runScavenge', { dataDirectory, winnowHome, scavengePoint: 'detached', now: EFFECTIVE_NOW });
    const written = new Date('2026-03-04T05:06:07Z');
    for (const name of fs.readdirSync(dataDirectory))
      fs.utimesSync(path.join(dataDirectory, name), written, written);
    expect(await lastOf(dataDirectory, {})).toEqual({
      lastScavenged: '2026-03-04T05:06:07.0000000Z',
      lastScavengedFrom: 'files'
    });
  });

  it('is not one of the files that a restore has replaced', async () => {
    const dataDirectory = unpackDatabase({ name: 'rules', folder: 'before' });
    const old = unpackDatabase({ name: 'rules', folder: 'before' });
    await run('runScavenge', { dataDirectory, winnowHome, scavengePoint: 'detached', now: EFFECTIVE_NOW });
    fs.rmSync(dataDirectory, { recursive: true });
    fs.renameSync(old, dataDirectory);
    expect(await lastOf(dataDirectory)).toEqual({ lastScavenged: null, lastScavengedFrom: 'never' });
  });
});
