import { describe, expect, test } from 'vitest';
import type { WorkSnapshot } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { reloadAfterCrash, type CrashingContents } from '../../../src-main/window/page-crash.ts';
import { showNotice } from '../../../src-main/window/show-notice.ts';
import { WorkNotice, type Notice } from '../../../src-main/window/work-notice.ts';
import { progressShareOf, WorkProgress } from '../../../src-main/window/work-progress.ts';
import { applyZoom, zoomStep } from '../../../src-main/settings/zoom.ts';

function work(changes: Partial<WorkSnapshot> = {}): WorkSnapshot {
  return {
    id: 'work-1',
    name: 'runScavenge',
    nodeId: 'node-1',
    title: 'Scavenge node-1',
    state: 'running',
    startedMs: 0,
    endedMs: null,
    progress: null,
    ratePerSecond: null,
    remainingMs: null,
    phases: [],
    log: [],
    error: null,
    request: {},
    writerCheckpoint: null,
    directory: null,
    backupTarget: null,
    ...changes
  };
}

function at(done: number, total: number | null): WorkSnapshot {
  const progress = {
    operation: 'runScavenge',
    dataDirectory: '/data',
    phase: 'chunkExecution',
    done,
    total,
    unit: 'chunks',
    savedBytes: 0,
    elapsedMs: 1,
    message: null
  };
  return work({ progress: progress as NonNullable<WorkSnapshot['progress']> });
}

describe('the bar in the taskbar', () => {
  test('shows how far what runs is, of several the one with most left', () => {
    expect(progressShareOf([at(5, 10)])).toBe(0.5);
    expect(progressShareOf([at(9, 10), at(1, 10)])).toBe(0.1);
  });

  test('says that something runs while nobody knows how far, and goes when nothing runs', () => {
    expect(progressShareOf([work()])).toBe(2);
    expect(progressShareOf([at(5, null)])).toBe(2);
    expect(progressShareOf([])).toBe(-1);
  });

  test('is told only what is new to it', () => {
    const told: number[] = [];
    const bar = new WorkProgress(() => ({
      setProgressBar: (share) => void told.push(share),
      isDestroyed: () => false
    }));
    bar.show([at(1, 4)]);
    bar.show([at(1, 4)]);
    bar.show([]);
    expect(told).toEqual([0.25, -1]);
  });
});

describe('the notice at the end of long work', () => {
  function notices(parts: { isWanted?: boolean; isWatched?: boolean } = {}) {
    const shown: Notice[] = [];
    const notice = new WorkNotice({
      isWanted: () => parts.isWanted ?? true,
      isWatched: () => parts.isWatched ?? false,
      show: (said) => void shown.push(said)
    });
    return { notice, shown };
  }
  const ended = work({ state: 'done', endedMs: 30_000 });

  test('is shown once when nobody was looking', () => {
    const { notice, shown } = notices();
    notice.hear(work());
    notice.hear(ended);
    notice.hear(ended);
    expect(shown).toEqual([{ title: 'Scavenge node-1', body: 'Done.' }]);
  });

  test('says of a failure its family and nothing of the database', () => {
    const { notice, shown } = notices();
    notice.hear(work());
    const error = { code: 'LogCorrupt', message: 'stream "person-4711" is damaged', remedy: '', details: {} };
    notice.hear(work({ state: 'failed', endedMs: 60_000, error }));
    expect(shown[0]?.body).toContain('LogCorrupt');
    expect(JSON.stringify(shown)).not.toContain('4711');
  });

  test('is not shown for short work, in a window that is in front, or when it is not wanted', () => {
    const short = notices();
    short.notice.hear(work());
    short.notice.hear(work({ state: 'done', endedMs: 29_999 }));
    const watched = notices({ isWatched: true });
    watched.notice.hear(work());
    watched.notice.hear(ended);
    const unwanted = notices({ isWanted: false });
    unwanted.notice.hear(work());
    unwanted.notice.hear(ended);
    expect([...short.shown, ...watched.shown, ...unwanted.shown]).toEqual([]);
  });

  test('needs a system that shows notices, and a click is heard', () => {
    let clicks = 0;
    let isSupported = false;
    const made: (() => void)[] = [];
    class System {
      static isSupported = (): boolean => isSupported;
      on(event: string, listener: () => void): void {
        if (event === 'click') made.push(listener);
      }
      show(): void {}
    }
    showNotice(System, { title: '', body: '' }, () => clicks++);
    expect(made).toHaveLength(0);
    isSupported = true;
    showNotice(System, { title: '', body: '' }, () => clicks++);
    made[0]!();
    expect(clicks).toBe(1);
  });
});

describe('the size of the page', () => {
  test('goes up and down in steps that end at 50 and 200 per cent', () => {
    expect(zoomStep(100, 'in')).toBe(110);
    expect(zoomStep(100, 'out')).toBe(90);
    expect(zoomStep(200, 'in')).toBe(200);
    expect(zoomStep(50, 'out')).toBe(50);
    expect(zoomStep(175, 'reset')).toBe(100);
    expect(zoomStep(130, 'in')).toBe(150);
  });

  test('is set on a page that is there', () => {
    const factors: number[] = [];
    const contents = {
      setZoomFactor: (factor: number) => void factors.push(factor),
      isDestroyed: () => false
    };
    applyZoom(contents, 150);
    applyZoom({ ...contents, isDestroyed: () => true }, 200);
    applyZoom(undefined, 200);
    expect(factors).toEqual([1.5]);
  });
});

describe('a page whose process dies', () => {
  function page() {
    let crash: (event: unknown, details: { reason: string }) => void = () => undefined;
    let reloads = 0;
    let givenUp = 0;
    let nowMs = 0;
    const contents: CrashingContents = {
      on: (_event, listener) => void (crash = listener),
      reload: () => void reloads++,
      isDestroyed: () => false
    };
    reloadAfterCrash(contents, {
      clock: () => nowMs,
      log: () => undefined,
      later: (action) => action(),
      giveUp: () => void givenUp++
    });
    return {
      crash: (reason = 'crashed') => crash({}, { reason }),
      wait: (ms: number) => void (nowMs += ms),
      counts: () => ({ reloads, givenUp })
    };
  }

  test('is loaded again', () => {
    const { crash, counts } = page();
    crash();
    expect(counts()).toEqual({ reloads: 1, givenUp: 0 });
  });

  test('is left alone when it dies again and again', () => {
    const { crash, counts } = page();
    for (let i = 0; i < 4; i++) crash();
    expect(counts()).toEqual({ reloads: 3, givenUp: 1 });
  });

  test('is loaded again when the last time was long ago, and not when it ended in order', () => {
    const { crash, wait, counts } = page();
    for (let i = 0; i < 6; i++) {
      crash();
      wait(61_000);
    }
    crash('clean-exit');
    expect(counts()).toEqual({ reloads: 6, givenUp: 0 });
  });
});
