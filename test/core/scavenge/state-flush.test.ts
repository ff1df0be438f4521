import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { StateStore } from '../../../src-core/scavenge/state/state-store.ts';

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'winnow-flush-'))));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** The checkpoint that is in the main file alone: what a power cut leaves when it takes the whole journal. */
function inMainFile(store: StateStore): string | undefined {
  const copy = join(directory, 'copy.db');
  copyFileSync(store.path, copy);
  const alone = StateStore.open({ path: copy });
  const text = alone.checkpointText;
  alone.close();
  rmSync(copy);
  return text;
}

it('a flush puts what is committed where no power cut takes it away; a commit alone does not', () => {
  const store = StateStore.open({ path: join(directory, 'state.db') });
  store.flush();
  store.begin();
  store.checkpointText = 'first';
  store.commit();
  expect(inMainFile(store)).toBeUndefined();
  store.flush();
  expect(inMainFile(store)).toBe('first');
  store.checkpointText = 'second';
  expect(inMainFile(store)).toBe('first');
  store.close();
});

it('an open transaction cannot be flushed', () => {
  const store = StateStore.open({ path: join(directory, 'state.db') });
  store.begin();
  expect(() => store.flush()).toThrow('what is not committed cannot be flushed');
  store.rollback();
  store.close();
});

it('the state of a plan is one transaction that nobody else ever sees, and is gone when it is undone', () => {
  const path = join(directory, 'plan.db');
  const store = StateStore.open({ path, isThrownAway: true });
  const put = store.prepare('INSERT INTO ChunkWeights (key, value) VALUES (?, ?)');
  const count = store.prepare('SELECT COUNT(*) AS rows FROM ChunkWeights');
  for (let chunk = 0; chunk < 3; chunk++) {
    store.begin();
    put.run(chunk, 1);
    store.checkpointText = `chunk ${chunk}`;
    store.commit();
    store.flush();
  }
  expect(count.get()).toEqual({ rows: 3 });
  expect(store.checkpointText).toBe('chunk 2');
  const other = StateStore.openToRead({ path });
  expect(other.checkpointText).toBeUndefined();
  expect(other.prepare('SELECT COUNT(*) AS rows FROM ChunkWeights').get()).toEqual({ rows: 0 });
  other.close();
  store.begin();
  store.rollback();
  expect(count.get()).toEqual({ rows: 0 });
  expect(store.checkpointText).toBeUndefined();
  store.close();
  const afterwards = StateStore.open({ path });
  expect(afterwards.checkpointText).toBeUndefined();
  afterwards.close();
});
