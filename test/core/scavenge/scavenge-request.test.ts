/** What contradicts itself in a request is refused with the member that is wrong, before anything is opened. */
import { describe, expect, it } from 'vitest';
import {
  checkRequest,
  effectiveNowOf,
  pageSizeBytesOf,
  type ScavengeRequest
} from '../../../src-core/scavenge/scavenge-request.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { scavengeRequest } from '../../support/scavenge-environment.ts';

const rescue = { freeBytes: 0 } as unknown as NonNullable<ScavengeRequest['rescue']>;

describe('a request', () => {
  it.each<{ change: Partial<ScavengeRequest>; field: string; message: RegExp }>([
    { change: { threshold: -2 }, field: 'threshold', message: /A threshold of -2 is not possible/ },
    { change: { threshold: 1.5 }, field: 'threshold', message: /A threshold of 1\.5 is not possible/ },
    { change: { throttlePercent: 0 }, field: 'throttlePercent', message: /between 1 and 100 inclusive/ },
    { change: { throttlePercent: 101 }, field: 'throttlePercent', message: /between 1 and 100 inclusive/ },
    { change: { threads: 2, throttlePercent: 99 }, field: 'throttlePercent', message: /must be 100/ },
    { change: { syncOnly: true, scavengePoint: 'new' }, field: 'syncOnly', message: /placement "new"/ },
    {
      change: { syncOnly: true, scavengePoint: 'detached' },
      field: 'syncOnly',
      message: /placement "detached"/
    },
    { change: { keepReplacedMs: 1, rescue }, field: 'keepReplaced', message: /keeps nothing/ },
    { change: { pageSize: 3 }, field: 'pageSize', message: /A page size of 3 is not possible/ },
    { change: { now: 'yesterday' }, field: 'now', message: /"yesterday" is not a time in ISO 8601/ }
  ])('with $change is refused', ({ change, field, message }) => {
    const refused = expect.objectContaining({
      code: 'InvalidRequest',
      message: expect.stringMatching(message) as string,
      details: expect.objectContaining({ field }) as object
    }) as Error;
    expect(() => checkRequest(scavengeRequest('/db', change))).toThrow(refused);
  });

  it.each<Partial<ScavengeRequest>>([
    { threshold: -1 },
    { threshold: 0, throttlePercent: 1 },
    { threads: 4, throttlePercent: 100 },
    { syncOnly: true, scavengePoint: 'auto' },
    { syncOnly: true, scavengePoint: 'existing' },
    { keepReplacedMs: 1 },
    { now: '2026-01-01T00:00:00Z', pageSize: 4 }
  ])('with %o passes', (change) => {
    expect(() => checkRequest(scavengeRequest('/db', change))).not.toThrow();
  });
});

it('page sizes up to 64 are KiB, larger ones bytes, and all are powers of two', () => {
  const sizes = [undefined, 1, 2, 64, 512, 4096, 65_536];
  expect(sizes.map(pageSizeBytesOf)).toEqual([undefined, 1024, 2048, 65_536, 512, 4096, 65_536]);
  for (const wrong of [0, -1, 3, 0.5, 65, 128, 256, 513, 131_072, NaN, Infinity])
    expect(() => pageSizeBytesOf(wrong), String(wrong)).toThrow(/page size/);
});

it('the time of a request is the one that it names, or none', () => {
  const request = scavengeRequest('/db', { now: '2026-01-01T00:00:00Z' });
  expect(effectiveNowOf(request)).toBe(ticksFromIso('2026-01-01T00:00:00Z'));
  expect(effectiveNowOf({ ...request, now: undefined })).toBeUndefined();
});
