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
