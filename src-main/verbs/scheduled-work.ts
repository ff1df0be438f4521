/** A backup by its schedule, as work that pages show, follow and stop. */
import { operationTitle } from '../contract/operations/operation-titles.ts';
import type { BackupSchedulesParts } from './backup-schedules.ts';
import { needsOf, type WorkKeeper } from './work-keeper.ts';

export function scheduledAsWork(work: WorkKeeper): Pick<BackupSchedulesParts, 'isOccupied' | 'follow'> {
  return {
    isOccupied: (nodeId) =>
      work.running().some((running) => running.nodeId === nodeId && needsOf(running).length > 0),
    follow: (node, run) =>
      new Promise((resolve, reject) => {
        work.start({
          name: 'createBackup',
          nodeId: node.id,
          title: operationTitle('createBackup', { node: node.name, isPlan: false }),
          request: {},
          run: (options) => {
            const outcome = run(options);
            outcome.then(resolve, reject);
            return outcome;
          }
        });
      })
  };
}
