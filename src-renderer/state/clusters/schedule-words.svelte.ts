/** An expression as it is typed: its words and next times, or what is wrong with it. Asked while typing, not at each key. */
import type { ErrorReport, ScheduleReport } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { describeSchedule, errorReportOf } from '../../api/engine-client.ts';
import { texts } from '../../texts.ts';

const TYPING_MS = 80;
/** Enough for a week of one every half hour. */
const TIMES = 340;

export class ScheduleWords {
  #report = $state.raw<ScheduleReport | null>(null);
  #error = $state.raw<ErrorReport | null>(null);
  #answered = $state<string | null>(null);

  /** Whether the report is of this expression, and not of one that was typed before. */
  isOf(expression: string): boolean {
    return this.#answered === expression;
  }

  /** The last one that could be understood. */
  get report(): ScheduleReport | null {
    return this.#report;
  }
  get error(): ErrorReport | null {
    return this.#error;
  }

  /** Returns how to forget the question. */
  ask(expression: string, timeZone: string): () => void {
    let isCurrent = true;
    const timer = setTimeout(() => {
      describeSchedule({ expression, timeZone, count: TIMES }).then(
        (found) => {
          if (!isCurrent) return;
          this.#report = { ...found, words: texts.cron.whole(found.expression, found.words) };
          this.#error = null;
          this.#answered = expression;
        },
        (failure: unknown) => {
          if (isCurrent) this.#error = errorReportOf(failure);
        }
      );
    }, TYPING_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }
}
