/**
 * What a person who helps from afar asks for first, in one piece: versions, machine, settings that were changed, what lies in
 * WINNOW_HOME, and the newest operations with their errors and logs. As with a single operation (`activity-details.ts`) there is no
 * data in it, and neither the names of machines, customers and streams nor secrets.
 */
import { statfsSync } from 'node:fs';
import os from 'node:os';
import packageFacts from '../../package.json' with { type: 'json' };
import { ticksFromMs, ticksToIso } from '../../src-core/index.ts';
import type { ActivityEntry, SupportLogReport } from '../contract/operations/activity-reports.ts';
import { settingRows } from '../settings/settings-text.ts';
import type { Settings } from '../settings/settings.ts';
import { activityDetails } from './activity-details.ts';
import { homeContents } from './home-contents.ts';

export interface SupportLogParts {
  /** WINNOW_HOME. */
  home: string;
  /** Newest first. */
  entries: readonly ActivityEntry[];
  /** Only so many. */
  limit: number;
  /** Only this one. */
  operationId: string | undefined;
  /** Quoted text, which may be the name of a stream, stays in. */
  hasStreamNames: boolean;
  /** Throws what is wrong with them, which is said in their place. */
  readSettings: () => Settings;
  /** Milliseconds since 1970. */
  nowMs: number;
}

export function supportLog(parts: SupportLogParts): SupportLogReport {
  const { home, entries, limit, operationId, hasStreamNames, nowMs } = parts;
  const chosen = entries.filter(({ id }) => operationId === undefined || id === operationId).slice(0, limit);
  return {
    madeAt: ticksToIso(ticksFromMs(nowMs)),
    versions: [
      { name: 'Winnow', version: packageFacts.version },
      { name: 'Node', version: process.versions.node },
      { name: 'SQLite', version: process.versions['sqlite'] ?? 'not known' },
      { name: 'System', version: `${process.platform} ${process.arch}, ${os.release()}` }
    ],
    machine: {
      processors: os.availableParallelism(),
      memoryBytes: os.totalmem(),
      homeFreeBytes: freeBytes(home)
    },
    home: homeContents(home),
    ...changedSettings(parts.readSettings),
    recorded: entries.length,
    operations: chosen.map((entry) => ({
      id: entry.id,
      details: activityDetails(entry, { hasStreamNames, environment: [] })
    }))
  };
}

/** A text may be a path, a host or a person: that it is set is what matters. */
function changedSettings(read: () => Settings): Pick<SupportLogReport, 'settings' | 'settingsProblem'> {
  try {
    const changed = read()
      .list()
      .filter(({ source }) => source !== 'default');
    const rows = settingRows(changed.map((one) => ({ ...one, place: '' })));
    const settings = rows.map((row, at) =>
      changed[at]!.setting.kind === 'text' ? { ...row, value: '(set, not shown)' } : row
    );
    return { settings, settingsProblem: null };
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    return { settings: [], settingsProblem: typeof code === 'string' ? code : 'They cannot be read.' };
  }
}

function freeBytes(directory: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  } catch {
    return null; // not there yet
  }
}
