/** What a person asked for: whether it is under way, and why the last of it failed. */
import type { ErrorReport } from '../../src-main/contract/verbs/workbench-contract.ts';
import { errorReportOf } from '../api/engine-client.ts';

export class Attempt {
  isBusy = $state(false);
  error = $state.raw<ErrorReport | null>(null);

  /** Never throws: the error is there to be shown, until it is dismissed or the next attempt begins. */
  async run(action: () => Promise<unknown>): Promise<void> {
    this.isBusy = true;
    this.error = null;
    try {
      await action();
    } catch (failure) {
      this.error = errorReportOf(failure);
    } finally {
      this.isBusy = false;
    }
  }
}
