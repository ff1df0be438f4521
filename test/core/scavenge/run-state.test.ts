/** The files of the states that one run works with: which is open, and which is closed for another. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import type { ScavengeRequest } from '../../../src-core/scavenge/scavenge-request.ts';
import { RunState } from '../../../src-core/scavenge/state/run-state.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { guidsFrom } from '../../support/crash-database.ts';
import { scavengeRequest, temporaryDirectory } from '../../support/scavenge-environment.ts';

let root: string;
beforeEach(() => {
  root = temporaryDirectory();
  const states = statesOf();
  states.useShared();
  states.useDetached();
  states.close();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function statesOf({
  isPlan = false,
  ...change
}: Partial<ScavengeRequest> & { isPlan?: boolean } = {}): RunState {
  const dataDirectory = join(root, 'db');
  const home = { winnowHome: join(root, 'home'), scratchDirectory: join(root, 'scratch') };
  return new RunState({
    fileSystem: new NodeFileSystem(),
    indexDirectory: join(dataDirectory, 'index'),
    request: scavengeRequest(dataDirectory, { ...home, ...change }),
    isPlan,
    hasher: hashStream,
    newGuid: guidsFrom(5)
  });
}

it('a state that is not there yet is made with the page size that was asked for, in bytes', () => {
  const pageSizeOf = (path: string): number => readFileSync(path).readUInt16BE(16);
  const usual = pageSizeOf(statesOf().placeOf(true).path);
  const states = statesOf({ pageSize: 512 });
  states.forgetDetached();
  states.useDetached();
  states.close();
  expect(pageSizeOf(states.placeOf(true).path)).toBe(512);
  expect(usual).not.toBe(512);
});

describe('a detached run', () => {
  it.each(['openDetached', 'useDetached'] as const)('closes the state that the server shares: %s', (how) => {
    const states = statesOf();
    const shared = states.openShared()!;
    expect(shared.checkpoint).toBeUndefined();
    const detached = states[how]()!;
    expect(() => shared.checkpoint).toThrow();
    expect(detached.checkpoint).toBeUndefined();
    states.close();
    expect(() => detached.checkpoint).toThrow();
  });

  it('has one state, however often it is asked for, and leaves the shared one open where it has none', () => {
    const states = statesOf();
    const detached = states.openDetached()!;
    expect(states.useDetached()).toBe(detached);
    states.forgetDetached();
    expect(() => detached.checkpoint).toThrow();
    expect(existsSync(states.placeOf(true).path)).toBe(false);
    const shared = states.openShared()!;
    expect(states.openDetached()).toBeUndefined();
    expect(shared.checkpoint).toBeUndefined();
    states.close();
  });

  it('that starts afresh finds no state', () => {
    const states = statesOf({ startAfresh: true });
    expect([states.openShared(), states.openDetached()]).toEqual([undefined, undefined]);
    states.close();
  });
});

it('a plan leaves the files of the states as they are, and none of its own', () => {
  const states = statesOf({ isPlan: true });
  const paths = [states.sharedPath, states.placeOf(true).path];
  states.openShared();
  states.openDetached();
  states.forgetDetached();
  states.close();
  expect(paths.map((path) => existsSync(path))).toEqual([true, true]);
  expect(new NodeFileSystem().list(join(root, 'scratch')) ?? []).toEqual([]);
});
