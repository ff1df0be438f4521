/** Copies and exports of one table, and what is said of the last of them. */
import type { ErrorReport, SavedForm } from '../../src-main/contract/verbs/workbench-contract.ts';
import { formatCount } from '../format/count.ts';
import { copyRows, errorOf, exportRows, type RowSource } from '../state/row-export.ts';
import { texts } from '../texts.ts';
import type { RowRanges } from './row-ranges.ts';
import type { Column, ReadRows } from './table-column.ts';

export interface OutputRows<Row> {
  columns: readonly Column[];
  read: ReadRows<Row>;
  /** Of lists whose end is not known. */
  all?: ((signal: AbortSignal) => AsyncIterable<readonly Row[]>) | undefined;
}

/** A good end is said for so long. */
const SAID_MS = 5000;

export class TableOutput<Row extends object> {
  readonly #rows: () => OutputRows<Row>;
  #note = $state('');
  #error = $state.raw<ErrorReport | null>(null);
  #isRunning = $state(false);
  #question = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(rows: () => OutputRows<Row>) {
    this.#rows = rows;
  }

  get note(): string {
    return this.#note;
  }
  get error(): ErrorReport | null {
    return this.#error;
  }
  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Ends what is running; nothing stays of its file. */
  stop(): void {
    this.#question.abort();
  }

  dismiss(): void {
    clearTimeout(this.#timer);
    [this.#note, this.#error] = ['', null];
  }

  async copy(ranges: RowRanges): Promise<void> {
    await this.#run(async (source) => {
      const copied = await copyRows({ ...source, ranges });
      return copied === null ? texts.table.tooMany : texts.table.copied(copied);
    });
  }

  async save(name: string, form: SavedForm, count: number): Promise<void> {
    await this.#run(async (source) => {
      let written = 0;
      const file = await exportRows(
        { ...source, ranges: [[0, count]] },
        {
          name: name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 80) || 'rows',
          form,
          onrows: (done) => {
            written = done;
            this.#note = this.#rows().all
              ? texts.table.exportingSome(done)
              : texts.table.exporting(formatCount(done), formatCount(count));
          }
        }
      );
      return file === null ? '' : texts.table.exported(written, file);
    });
  }

  async #run(act: (source: Omit<RowSource<Row>, 'ranges'>) => Promise<string>): Promise<void> {
    if (this.#isRunning) return;
    this.dismiss();
    this.#isRunning = true;
    this.#question = new AbortController();
    try {
      this.#note = await act({ ...this.#rows(), signal: this.#question.signal });
      this.#timer = setTimeout(() => (this.#note = ''), SAID_MS);
    } catch (error) {
      this.#note = '';
      if (!this.#question.signal.aborted) this.#error = errorOf(error);
    } finally {
      this.#isRunning = false;
    }
  }
}
