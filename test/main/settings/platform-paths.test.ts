/** Places, pipes, modes and volumes as they are on other systems than the one of this test. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { platformFacts } from '../../../src-core/index.ts';
import { socketName } from '../../../src-main/backup/scavenge-door.ts';
import { isOpenToOthers } from '../../../src-main/cluster/cluster-credentials.ts';
import { ClusterRegistry } from '../../../src-main/settings/cluster-registry.ts';
import { isSharedVolume } from '../../../src-main/verbs/file-notifications.ts';

const [linux, darwin, windows] = (['linux', 'darwin', 'win32'] as const).map(platformFacts);
const NFS = 0x6969;
let home: string;
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-paths-'));
});
afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

describe('on another system', () => {
  it('a running scavenge is reached by a pipe on Windows, by a file elsewhere', () => {
    expect(socketName(home, windows)).toMatch(/^\\\\\.\\pipe\\winnow-[\w-]+$/);
    expect(fs.readdirSync(home)).toEqual([]);
    for (const facts of [linux, darwin])
      expect(path.dirname(socketName(home, facts))).toBe(path.join(home, 'running-scavenges'));
  });

  it('a password that others may read is refused where modes say so', () => {
    expect([linux, darwin, windows].map((facts) => isOpenToOthers(0o100644, facts))).toEqual([
      true,
      true,
      false
    ]);
    expect([linux, darwin, windows].map((facts) => isOpenToOthers(0o100600, facts))).toEqual([
      false,
      false,
      false
    ]);
  });

  it('a volume is known as shared only where its type says so', () => {
    expect([linux, darwin, windows].map((facts) => isSharedVolume(NFS, facts))).toEqual([true, false, false]);
    expect(isSharedVolume(0xef53, linux)).toBe(false);
  });

  it('no cluster has a name that a folder cannot have, or that is another folder', () => {
    const registry = new ClusterRegistry(home);
    const cluster = (name: string) => ({
      kind: 'local' as const,
      name,
      members: [{ dataDirectory: '/data' }]
    });
    for (const name of ['..', '.', 'NUL', 'com1.live', 'live.']) {
      expect(() => registry.register(cluster(name)), name).toThrow(/cannot be the name of a cluster/);
    }
    registry.register(cluster('live'));
    expect(() => registry.rename('live', '..')).toThrow(/cannot be the name/);
    expect(registry.list().map(({ name }) => name)).toEqual(['live']);
  });
});
