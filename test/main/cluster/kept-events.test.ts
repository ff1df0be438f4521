import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CoordinatorFile } from '../../../src-main/cluster/coordinator-store.ts';

let directory: string;
beforeEach(() => (directory = mkdtempSync(path.join(os.tmpdir(), 'winnow-kept-'))));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

it('a skipped cycle and the quiet hours stay known after a cycle that a person began', async () => {
  const store = new CoordinatorFile(path.join(directory, 'events.jsonl'));
  const skipped = { type: '$cycle-skipped', data: { occurrence: '2026-08-02T12:00:00+02:00' } };
  const quiet = { type: '$quiet-hours-updated', data: { quietHours: null } };
  const ended = { type: '$cluster-scavenge-completed', data: { clusterScavengeId: 'a', members: [] } };
  const paused = { type: '$paused', data: {} };
  for (const event of [quiet, { ...skipped, data: { occurrence: 'earlier' } }, skipped, ended, paused])
    await store.append(event);
  expect((await store.load()).history).toEqual([quiet, skipped, paused]);
});
