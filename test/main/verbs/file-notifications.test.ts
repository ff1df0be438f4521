import { tmpdir } from 'node:os';
import path from 'node:path';
import fs from 'node:fs/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { sendsNotifications } from '../../../src-main/verbs/file-notifications.ts';

afterEach(() => vi.restoreAllMocks());

test('a local volume notifies of changes', async () => {
  expect(await sendsNotifications(tmpdir())).toBe(true);
});

test.runIf(process.platform === 'linux').each([
  ['NFS', 0x6969],
  ['SMB', 0xff534d42],
  ['a program that serves files', 0x65735546]
])('%s does not: others write there too', async (_name, type) => {
  vi.spyOn(fs, 'statfs').mockResolvedValue({ type } as never);
  expect(await sendsNotifications(tmpdir())).toBe(false);
});

test('a directory that does not exist does not', async () => {
  expect(await sendsNotifications(path.join(tmpdir(), 'winnow-nowhere'))).toBe(false);
});
