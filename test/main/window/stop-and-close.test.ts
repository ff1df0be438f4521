/** "Stop and close" ends whatever runs; a second start and a minimised window come to the front. */
import { describe, expect, test } from 'vitest';
import type { MessageBoxOptions } from 'electron';
import { bringForward } from '../../../src-main/window/bring-forward.ts';
import type { RunningWork } from '../../../src-main/window/close-question.ts';
import { directoryOfSecond } from '../../../src-main/window/open-argument.ts';
import { STOP_DEADLINE_MS, stopBeforeClosing } from '../../../src-main/window/stop-and-close.ts';

function closing(running: RunningWork[]) {
  const steps: string[] = [];
  const boxes: MessageBoxOptions[] = [];
  const stopped = Promise.withResolvers<void>();
  let passDeadline = (): void => undefined;
  const done = stopBeforeClosing({
    running: () => running,
    stopAll: () => {
      steps.push('stop');
      return stopped.promise;
    },
    endEngine: () => void steps.push('end'),
    tell: (box) => {
      steps.push('tell');
      boxes.push(box);
      return Promise.resolve();
    },
    later: (action, ms) => {
      expect(ms).toBe(STOP_DEADLINE_MS);
      passDeadline = action;
      return () => void steps.push('cancel');
    }
  });
  return { done, steps, boxes, stopped, passDeadline: () => passDeadline() };
}

const scavenge: RunningWork = { name: 'runScavenge', title: 'Scavenge orders' };

describe('stopping before the window closes', () => {
  test('waits for what runs, and ends nothing that stops in time', async () => {
    const { done, steps, stopped } = closing([scavenge]);
    stopped.resolve();
    await done;
    expect(steps).toEqual(['stop', 'cancel']);
  });

  test('lets the window close when stopping failed', async () => {
    const { done, steps, stopped } = closing([scavenge]);
    stopped.reject(new Error('the engine is gone'));
    await done;
    expect(steps).toEqual(['stop', 'cancel']);
  });

  test('ends what has not stopped by the deadline, and tells what is left and how it is resumed', async () => {
    const { done, steps, boxes, passDeadline } = closing([scavenge]);
    passDeadline();
    await done;
    expect(steps).toEqual(['stop', 'cancel', 'end', 'tell']);
    expect(boxes[0]?.message).toBe('Scavenge orders did not stop within 20 seconds and was ended');
    expect(boxes[0]?.detail).toContain('The next scavenge resumes there.');
  });

  test.each([
    ['runRestore', /finish or undo it/],
    ['rebuildIndex', /Start it again/],
    ['createBackup', /next backup resumes/],
    ['pruneBackups', /still listed are whole/],
    ['verifyDatabase', /not changed anything in the database/]
  ] as const)('of %s says what is left', async (name, words) => {
    const { done, boxes, passDeadline } = closing([{ name, title: 'It' }]);
    passDeadline();
    await done;
    expect(boxes[0]?.detail).toMatch(words);
  });
});

describe('a second start', () => {
  test('names its directory itself, and nothing else is taken for one', () => {
    expect(directoryOfSecond({ directory: '/data/orders' })).toBe('/data/orders');
    for (const said of [undefined, null, 'x', {}, { directory: null }, { directory: 7 }, { directory: 'db' }])
      expect(directoryOfSecond(said)).toBeUndefined();
  });

  test('brings the window forward, from the taskbar as well', () => {
    const did: string[] = [];
    const window = (isMinimized: boolean) => ({
      isMinimized: () => isMinimized,
      restore: () => void did.push('restore'),
      show: () => void did.push('show'),
      focus: () => void did.push('focus')
    });
    bringForward(window(true));
    bringForward(window(false));
    expect(did).toEqual(['restore', 'show', 'focus', 'show', 'focus']);
  });
});
