/**
 * How a running command shows its progress on stderr: a bar that redraws itself on a terminal, a line now and
 * then elsewhere, one JSON object per snapshot with `--progress json`, nothing with `--quiet`. Never writes to
 * stdout.
 */
import { visibleJson } from '../../src-core/index.ts';
import type { LogLine } from '../contract/log-line.ts';
import type { Progress } from '../contract/operations/reports.ts';
import { formatBytes, formatCount } from './byte-size.ts';
import { visibleText } from './visible-text.ts';

export type ProgressMode = 'bar' | 'lines' | 'json' | 'none';

export interface ErrorStream {
  write(text: string): unknown;
  columns?: number | undefined;
}

/** Short commands end before the first line; long ones write one every so often. */
const LINE_INTERVAL_MS = 3000;
/** A bar that flashes up for a moment is only a distraction. */
const BAR_DELAY_MS = 300;
const BAR_WIDTH = 24;
/** For terminals that report no width, or 0. */
const DEFAULT_COLUMNS = 80;
const CLEAR_LINE = '\r\u001b[K';

export class ProgressLine {
  readonly #stream: ErrorStream;
  readonly #mode: ProgressMode;
  #lastLineMs = 0;
  #isBarShown = false;

  constructor(stream: ErrorStream, mode: ProgressMode) {
    this.#stream = stream;
    this.#mode = mode;
  }

  show(progress: Progress): void {
    switch (this.#mode) {
      case 'json':
        this.#stream.write(`${visibleJson(JSON.stringify(progress))}\n`);
        return;
      case 'bar':
        if (progress.elapsedMs < BAR_DELAY_MS) return;
        this.#stream.write(`${CLEAR_LINE}${barText(progress, this.#stream.columns || DEFAULT_COLUMNS)}`);
        this.#isBarShown = true;
        return;
      case 'lines':
        if (progress.elapsedMs - this.#lastLineMs < LINE_INTERVAL_MS) return;
        this.#lastLineMs = progress.elapsedMs;
        this.#stream.write(`${lineText(progress)}\n`);
        return;
      case 'none':
        return;
    }
  }

  /** A line of the engine's log; the bar steps aside for it. */
  log(line: LogLine): void {
    if (this.#mode === 'none') return;
    this.clear();
    if (this.#mode === 'json')
      this.#stream.write(`${visibleJson(JSON.stringify({ log: line.level, message: line.message }))}\n`);
    else this.#stream.write(`${visibleText(line.message)}\n`);
  }

  /** Removes the bar, before anything else is written to the terminal. */
  clear(): void {
    if (this.#isBarShown) this.#stream.write(CLEAR_LINE);
    this.#isBarShown = false;
  }
}

function amountText(progress: Progress): string {
  const amount = (value: number): string =>
    progress.unit === 'bytes' ? formatBytes(value) : formatCount(Math.floor(value));
  const unit = progress.unit === 'bytes' ? '' : ` ${progress.unit}`;
  if (progress.total === null) return `${amount(progress.done)}${unit}`;
  return `${amount(progress.done)} of ${amount(progress.total)}${unit}`;
}

function shareOf(progress: Progress): number | undefined {
  if (progress.total === null || progress.total <= 0) return undefined;
  return Math.min(1, progress.done / progress.total);
}

function lineText(progress: Progress): string {
  const share = shareOf(progress);
  const percent = share === undefined ? '' : ` ${Math.floor(share * 100)} %`;
  const saved = progress.savedBytes > 0 ? `, ${formatBytes(progress.savedBytes)} freed` : '';
  return `${visibleText(progress.phase)}:${percent} ${amountText(progress)}${saved}`;
}

function barText(progress: Progress, columns: number): string {
  const share = shareOf(progress);
  let text: string;
  if (share === undefined) {
    text = lineText(progress);
  } else {
    const filled = Math.round(share * BAR_WIDTH);
    const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
    const left = timeLeft(progress.elapsedMs, share);
    const saved = progress.savedBytes > 0 ? `  ${formatBytes(progress.savedBytes)} freed` : '';
    text = `${visibleText(progress.phase)} ${bar} ${Math.floor(share * 100)} %  ${amountText(progress)}${saved}${left}`;
  }
  return [...text].slice(0, Math.max(10, columns - 1)).join('');
}

/** Only once enough is done for an estimate: a wild guess is worse than none. */
function timeLeft(elapsedMs: number, share: number): string {
  if (elapsedMs < 2000 || share < 0.02) return '';
  const seconds = Math.round(((elapsedMs / share) * (1 - share)) / 1000);
  if (seconds < 60) return `  ${seconds} s left`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `  ${minutes} min left` : `  ${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}
