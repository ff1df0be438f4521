/** The schedule of the hosted node's backups: what callers read and set of it, and who takes the backups. */
import fs from 'node:fs';
import { errorReportOf } from '../contract/error-report.ts';
import { NodeRegistry, type OpenedNode } from '../settings/node-registry.ts';
import { BackupSchedules } from '../verbs/backup-schedules.ts';
import { scheduledAsWork } from '../verbs/scheduled-work.ts';
import type { ScheduledNode } from './routes/backup-schedule-routes.ts';
import type { HostedNode, ServeOptions, ServeParts, SharedParts } from './serve-options.ts';

/** Of the nodes that the page shows, or of the hosted one alone; a window that hosts it keeps its schedule itself. */
export function backupsOf(
  { winnowHome }: ServeOptions,
  { engine, scheduleEngine, clock, logger }: ServeParts,
  { location, page }: HostedNode
): BackupSchedules {
  const registry = new NodeRegistry(winnowHome, clock);
  const directory = realDirectory(location.dataDirectory);
  const hosted: Pick<NodeRegistry, 'list' | 'find' | 'edit'> = {
    list: () => registry.list().filter(({ dataDirectory }) => dataDirectory === directory),
    find: (id) => registry.find(id),
    edit: (id, edit) => registry.edit(id, edit)
  };
  return new BackupSchedules({
    home: winnowHome,
    clock,
    engine: scheduleEngine ?? engine,
    registry: page?.nodes ?? hosted,
    ...(page ? scheduledAsWork(page.work) : { isOccupied: () => false, follow: (_node, run) => run({}) }),
    onChange: () => page?.tellNodes(),
    onFault: (error) => logger.warn(`The schedule of backups: ${errorReportOf(error).message}`)
  });
}

/** The hosted node in the list of nodes, of which a person makes an entry by a schedule. */
export function scheduledNode(
  { winnowHome }: ServeOptions,
  { clock, shared }: { clock: () => number; shared: SharedParts | undefined },
  { location, page }: Pick<HostedNode, 'location' | 'page'>
): ScheduledNode {
  const registry = new NodeRegistry(winnowHome, clock);
  const find: ScheduledNode['find'] = () => {
    const directory = realDirectory(location.dataDirectory);
    return registry.list().find(({ dataDirectory }) => dataDirectory === directory);
  };
  return {
    find,
    keep: (backupSchedule) => {
      const node = find() ?? registry.open(opened(location));
      registry.edit(node.id, { backupSchedule });
      shared?.onNodesChange();
      page?.tellNodes();
    },
    dataDirectory: location.dataDirectory,
    clock
  };
}

/** As given where there is nothing any more. */
function realDirectory(directory: string): string {
  try {
    return fs.realpathSync(directory);
  } catch {
    return directory;
  }
}

function opened({ dataDirectory, indexDirectory }: HostedNode['location']): OpenedNode {
  return { dataDirectory, ...(indexDirectory === undefined ? {} : { indexDirectory }) };
}
