/**
 * Records how smoothly a page draws: the time from one animation frame to the next, and what the page itself did in frames that came late.
 * Pictures of the page stop it for a moment, so recording can be paused for them; a gap that a pause makes does not
 * count. The page must be in sight: a hidden one draws nothing.
 */
import type { Page } from 'playwright-core';

export interface Frames {
  /** Milliseconds between one frame and the next, in order. */
  gapsMs: number[];
  /** What the page itself did in frames that took more than 50 ms: script, style and layout. */
  ownWork: { durationMs: number; scriptMs: number; layoutMs: number; scripts: string[] }[];
  /** Every gap above the limit, with what the page showed then. */
  slow: { gapMs: number; atMs: number; phase: string }[];
}

export interface FrameSummary {
  frames: number;
  medianMs: number;
  p99Ms: number;
  maxMs: number;
  /** Frames that took longer than the limit. */
  slowFrames: number;
  /** The most that the page's own work (scripts, style, layout) took in any frame of more than 50 ms. */
  ownWorkMs: number;
}

/** Drawn after a pause before frames count again. */
const SETTLING_FRAMES = 20;
/** Above this a person sees the page stop. */
export const FRAME_LIMIT_MS = 50;

/** Chromium's entry for a frame that took long, as far as it is read here. */
interface LongAnimationFrame extends PerformanceEntry {
  readonly styleAndLayoutStart: number;
  readonly scripts: { invoker: string; duration: number }[];
}

interface Recorder extends Frames {
  isPaused: boolean;
  last: number;
  stop: () => void;
}

declare global {
  interface Window {
    frameRecorder?: Recorder;
  }
}

/** Begins to record; the frames of an earlier recording are forgotten. */
export async function recordFrames(page: Page): Promise<void> {
  await page.evaluate((limitMs) => {
    window.frameRecorder?.stop();
    let isStopped = false;
    const observer = new PerformanceObserver((list) => {
      if (recorder.isPaused) return;
      for (const entry of list.getEntries()) {
        recorder.ownWork.push(ownWorkOf(entry as LongAnimationFrame));
      }
    });
    const ownWorkOf = (entry: LongAnimationFrame): Frames['ownWork'][number] => ({
      durationMs: entry.duration,
      scriptMs: entry.scripts.reduce((sum, { duration }) => sum + duration, 0),
      layoutMs: entry.startTime + entry.duration - entry.styleAndLayoutStart,
      scripts: entry.scripts.map(({ invoker, duration }) => `${invoker} ${Math.round(duration)} ms`)
    });
    const recorder: Recorder = {
      gapsMs: [],
      ownWork: [],
      slow: [],
      isPaused: false,
      last: -1,
      stop: () => {
        isStopped = true;
        observer.disconnect();
      }
    };
    observer.observe({ type: 'long-animation-frame' });
    const tick = (now: number): void => {
      if (isStopped) return;
      if (recorder.last >= 0 && !recorder.isPaused) {
        const gapMs = now - recorder.last;
        recorder.gapsMs.push(gapMs);
        const phase = document.querySelector('li[aria-current=step] .name')?.textContent ?? '';
        if (gapMs > limitMs) recorder.slow.push({ gapMs, atMs: now, phase });
      }
      recorder.last = recorder.isPaused ? -1 : now;
      requestAnimationFrame(tick);
    };
    window.frameRecorder = recorder;
    requestAnimationFrame(tick);
  }, FRAME_LIMIT_MS);
}

/** Does something that would disturb the recording, a picture for example. */
export async function withoutRecording<T>(page: Page, work: () => Promise<T>): Promise<T> {
  const set = (isPaused: boolean) =>
    page.evaluate((value) => {
      const recorder = window.frameRecorder;
      if (!recorder) return;
      recorder.isPaused = value;
      recorder.last = -1;
    }, isPaused);
  await set(true);
  try {
    return await work();
  } finally {
    // What the work has put off is drawn first.
    await page.evaluate(
      (frames) =>
        new Promise<void>((resolve) => {
          const tick = (left: number): void =>
            left === 0 ? resolve() : void requestAnimationFrame(() => tick(left - 1));
          tick(frames);
        }),
      SETTLING_FRAMES
    );
    await set(false);
  }
}

/** Ends the recording. */
export async function recordedFrames(page: Page): Promise<Frames> {
  return page.evaluate(() => {
    const recorder = window.frameRecorder;
    recorder?.stop();
    if (!recorder) return { gapsMs: [], ownWork: [], slow: [] };
    const { gapsMs, ownWork, slow } = recorder;
    return { gapsMs, ownWork, slow };
  });
}

export function summaryOf({ gapsMs, ownWork }: Frames): FrameSummary {
  const sorted = gapsMs.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return {
    frames: sorted.length,
    medianMs: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
    slowFrames: sorted.filter((gapMs) => gapMs > FRAME_LIMIT_MS).length,
    ownWorkMs: ownWork.reduce((most, { scriptMs, layoutMs }) => Math.max(most, scriptMs + layoutMs), 0)
  };
}
