/** What people call an operation; one without a name here goes by its own. */
import type { ActivityEntry } from '../../../src-main/ipc/contract.ts';
import { texts } from '../../texts.ts';

export function operationName({ operation, options }: Pick<ActivityEntry, 'operation' | 'options'>): string {
  const name = texts.activity.operations[operation] ?? operation;
  return options['dryRun'] === true ? texts.activity.planOf(name) : name;
}
