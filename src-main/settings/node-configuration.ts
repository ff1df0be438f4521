/**
 * What a server's configuration file says that concerns a stopped node: directories, cluster size, scavenge
 * settings. Settings of no concern are passed over: the file was written for the server.
 */
import fs from 'node:fs';
import { invalidRequest } from '../../src-core/index.ts';
import type { SettingName } from './setting-table.ts';
import { loadSettings } from './settings.ts';

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
  const configuration: NodeConfiguration = { dataDirectory };
  for (const [setting, member] of MEMBERS) {
    // Defaults are left out: they must not overrule what is said elsewhere.
    if (settings.isSet(setting)) Object.assign(configuration, { [member]: settings.value(setting) });
  }
  return configuration;
}

const MEMBERS: readonly [SettingName, keyof NodeConfiguration][] = [
  ['Index', 'indexDirectory'],
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
