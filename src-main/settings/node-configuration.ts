/**
 * What a server's configuration file and the environment say that concerns a stopped node: directories, cluster
 * size, scavenge settings. Settings of no concern are passed over: the file was written for the server. The
 * environment never says where the data is: what a command works on is named on its command line.
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
/** What holds for a scavenge, wherever the data is. */
export type ScavengeSettings = Omit<NodeConfiguration, 'dataDirectory' | 'indexDirectory'>;

/** Where the server keeps its data when the file does not say. */
const DEFAULT_DIRECTORIES = ['/var/lib/kurrentdb', '/var/lib/eventstore'];

/** Reads `file`; InvalidRequest names what is wrong with it, and where. */
export function readNodeConfiguration(file: string): NodeConfiguration {
  const settings = loadSettings({ file, unknownNames: 'ignore' });
  if (settings.flag('MemDb') === true) {
    throw invalidRequest(`${file} says MemDb: this node keeps no files.`, 'MemDb', 'Name a data directory.');
  }
  const found = DEFAULT_DIRECTORIES.find((directory) => fs.existsSync(directory));
  const dataDirectory = settings.text('Db') ?? found;
  if (dataDirectory === undefined) {
    throw invalidRequest(
      `The configuration file ${file} names no data directory.`,
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
 * people about names that are not known, deprecated settings and units that can be mistaken.
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
    // Defaults are left out: they must not overrule what is said elsewhere.
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
