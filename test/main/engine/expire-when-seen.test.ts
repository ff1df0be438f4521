/** A look at a directory asks for the removal of what has expired there, and of nothing else. */
import { describe, expect, it } from 'vitest';
import type { EngineHost } from '../../../src-main/engine/engine-host.ts';
import { expireWhenSeen } from '../../../src-main/engine/expire-when-seen.ts';

const kept = {
  id: '20260101T000000Z',
  keptAt: '2026-01-01T00:00:00.0000000Z',
  expiresAt: '2026-01-08T00:00:00.0000000Z',
  finishedAt: null,
  scavengePoint: 0,
  bytes: 1,
  replacedFiles: 1,
  problem: null
};

function asked(replaced: { bytes: number; kept: (typeof kept)[] } | undefined, now: string): unknown[] {
  const calls: unknown[] = [];
  const engine = {
    call: (...words: unknown[]) => {
      calls.push(words);
      return Promise.reject(new Error('in use'));
    }
  } as unknown as Pick<EngineHost, 'call'>;
  const report = { dataDirectory: '/data', indexDirectory: '/data/index' };
  expireWhenSeen(engine, replaced ? { ...report, replaced } : report, Date.parse(now));
  return calls;
}

describe('a look at a directory', () => {
  it('asks for the removal of what has expired, and does not care how that ends', () => {
    expect(asked({ bytes: 1, kept: [kept] }, '2026-01-08T00:00:00Z')).toEqual([
      ['forgetReplaced', { dataDirectory: '/data', indexDirectory: '/data/index', expired: true }]
    ]);
  });

  it('asks for nothing before', () => {
    expect(asked({ bytes: 1, kept: [kept] }, '2026-01-07T23:59:59Z')).toEqual([]);
    expect(asked({ bytes: 0, kept: [] }, '2027-01-01T00:00:00Z')).toEqual([]);
    expect(asked(undefined, '2027-01-01T00:00:00Z')).toEqual([]);
  });
});
