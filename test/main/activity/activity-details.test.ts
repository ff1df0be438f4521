import { expect, test } from 'vitest';
import { activityDetails } from '../../../src-main/activity/activity-details.ts';
import type { ActivityEntry } from '../../../src-main/contract/operations/activity-reports.ts';

const entry: ActivityEntry = {
  id: 'one',
  operation: 'runScavenge',
  door: 'commandLine',
  dataDirectory: '/srv/customers/acme/node-1',
  target: null,
  startedAt: '2026-03-01T10:00:00.0000000Z',
  endedAt: '2026-03-01T10:00:02.0000000Z',
  elapsedMs: 2000,
  outcome: 'failed',
  verdict: null,
  options: { threshold: 0, indexDirectory: '/srv/customers/acme/fast/index' },
  figures: { records: 12 },
  log: ['Chunk 3 of /srv/customers/acme/node-1 done.'],
  error: {
    code: 'LogCorrupt',
    message: 'The stream "person-4711" in /srv/customers/acme/node-1/chunk-000003.000000 is damaged.',
    remedy: 'Restore it from a backup.',
    details: { stream: 'person-4711', offset: 5000 }
  },
  version: '1.0.0',
  hostName: 'db-1',
  pid: 1
};

test('the text for a bug report tells what happened, without names of streams, machines and customers', () => {
  const text = activityDetails(entry, { hasStreamNames: false, environment: ['Platform: linux x64'] });
  for (const part of [
    'runScavenge',
    'failed after 2000 ms',
    'Platform: linux x64',
    'threshold: 0',
    'LogCorrupt'
  ]) {
    expect(text).toContain(part);
  }
  expect(text).toContain('<data>/chunk-000003.000000');
  expect(text).toContain('offset: 5000');
  expect(text).toContain('…/fast/index');
  expect(text).not.toMatch(/4711|acme|db-1/);
});

test('names of streams are in it when their owner says so', () => {
  expect(activityDetails(entry, { hasStreamNames: true, environment: [] })).toContain('person-4711');
});
