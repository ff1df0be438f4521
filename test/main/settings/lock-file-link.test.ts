/** A link to nothing at the place of a lock: what it points to is not ours to make. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EngineError } from '../../../src-core/index.ts';
import { takeLease } from '../../../src-main/cluster/coordinator-lease.ts';
import { NodeRegistry } from '../../../src-main/settings/node-registry.ts';

let scratch: string;
let elsewhere: string;
let home: string;
beforeEach(() => {
  scratch = mkdtempSync(path.join(tmpdir(), 'winnow-lock-link-'));
  elsewhere = path.join(scratch, 'elsewhere');
  home = path.join(scratch, 'home');
  mkdirSync(home);
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

it('the list of nodes is changed all the same, and nothing is made elsewhere', () => {
  symlinkSync(elsewhere, path.join(home, 'nodes.json.lock'));
  const registry = new NodeRegistry(home, Date.now);
  registry.open({ dataDirectory: scratch });
  expect(registry.list()).toHaveLength(1);
  expect(existsSync(elsewhere)).toBe(false);
});

it('the coordination of a cluster is not taken, and nothing is made elsewhere', () => {
  symlinkSync(elsewhere, path.join(home, 'coordinator.lock'));
  expect(() => takeLease(home)).toThrow(EngineError);
  expect(existsSync(elsewhere)).toBe(false);
});
