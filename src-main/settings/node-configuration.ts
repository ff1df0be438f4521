/**
 * The settings of a server's configuration file and the environment that matter for a stopped node: directories, cluster
 * size, scavenge settings. Other settings are ignored: the file was written for the server. The
 * environment never names the data directory: the command line names what a command works on.
 */
import fs from 'node:fs';
import { invalidRequest } from '../../src-core/index.ts';
import type { SettingName } from './setting-table.ts';
import { loadSettings, type Settings } from './settings.ts';

export interface NodeConfiguration {
  dataDirectory: string;
  indexDirectory?: string;
  clusterSize?: number;
  disableScavengeMerging?: boolean;
  alwaysKeepScavenged?: boolean;
  unsafeIgnoreHardDelete?: boolean;
  /** As written: 1 to 64 are KiB, 512 to 65536 bytes. */
  scavengeBackendPageSize?: number;
  scavengeBackendCacheSizeBytes?: number;
  scavengeHashUsersCacheCapacity?: number;
  scavengeHistoryMaxAgeDays?: number;
  writeStatsToDb?: boolean;
}

export type Environment = Readonly<Record<string, string | undefined>>;
/** The settings of a scavenge, without the directories. */
export type ScavengeSettings = Omit<NodeConfiguration, 'dataDirectory' | 'indexDirectory'>;

/** Where the server keeps its data if the file does not name a directory. */
const DEFAULT_DIRECTORIES = ['/var/lib/kurrentdb', '/var/lib/eventstore'];

/** Reads `file`; InvalidRequest says what is wrong with it, and where. */
export function readNodeConfiguration(file: string): NodeConfiguration {
  const settings = loadSettings({ file, unknownNames: 'ignore' });
  if (settings.flag('MemDb') === true) {
    throw invalidRequest(`${file} sets MemDb: this node has no files.`, 'MemDb', 'Name a data directory.');
  }
  const found = DEFAULT_DIRECTORIES.find((directory) => fs.existsSync(directory));
  const dataDirectory = settings.text('Db') ?? found;
  if (dataDirectory === undefined) {
    throw invalidRequest(
      `The configuration file ${file} does not name a data directory.`,
      'Db',
      'Add the setting Db, or name the data directory itself.'
    );
  }
  const index = settings.text('Index');
  return {
    dataDirectory,
    ...(index === undefined ? {} : { indexDirectory: index }),
    ...scavengeSettingsOf(settings)
  };
}

/**
 * The settings of a scavenge in `file`, if one is named, and in the environment, which wins; with sentences for
 * people about unknown names, deprecated settings and units that are easily confused.
 */
export function readScavengeSettings(
  file: string | undefined,
  environment: Environment
): { settings: ScavengeSettings; warnings: readonly string[] } {
  const settings = loadSettings({ file, environment, unknownNames: 'warn' });
  return { settings: scavengeSettingsOf(settings), warnings: settings.warnings };
}

function scavengeSettingsOf(settings: Settings): ScavengeSettings {
  const found: ScavengeSettings = {};
  for (const [setting, member] of MEMBERS) {
    // Defaults are left out: they must not override other sources.
    if (settings.isSet(setting)) Object.assign(found, { [member]: settings.value(setting) });
  }
  return found;
}

const MEMBERS: readonly [SettingName, keyof ScavengeSettings][] = [
  ['ClusterSize', 'clusterSize'],
  ['DisableScavengeMerging', 'disableScavengeMerging'],
  ['AlwaysKeepScavenged', 'alwaysKeepScavenged'],
  ['UnsafeIgnoreHardDelete', 'unsafeIgnoreHardDelete'],
  ['ScavengeBackendPageSize', 'scavengeBackendPageSize'],
  ['ScavengeBackendCacheSize', 'scavengeBackendCacheSizeBytes'],
  ['ScavengeHashUsersCacheCapacity', 'scavengeHashUsersCacheCapacity'],
  ['ScavengeHistoryMaxAge', 'scavengeHistoryMaxAgeDays'],
  ['WriteStatsToDb', 'writeStatsToDb']
];
