/**
 * The commands by name, in the order of the help. What the help of the program shows of a command is here; everything
 * else is in the command's own module, which is loaded when the command is named: a command costs the start of no other.
 */
import type { Command } from 'commander';
import type { CommandLine } from './command-line.ts';

/** Completes a command, of which only name and summary are there: options, arguments, help, what it does. */
type DefineCommand = (command: Command, line: CommandLine) => void;

export interface NamedCommand {
  /** Options and arguments as the help of the program names them; a test compares them with the command's own. */
  usage: string;
  summary: string;
  isHidden?: true;
  /** Speaks of all the others, which have to be loaded with it. */
  needsAll?: true;
  load: () => Promise<DefineCommand>;
}

export const COMMANDS: Readonly<Record<string, NamedCommand>> = {
  inspect: {
    usage: '[options] [db]',
    summary: 'show what this directory holds',
    load: async () => (await import('./commands/inspect.ts')).addInspect
  },
  chunks: {
    usage: '[options] [db]',
    summary: 'list the physical chunks with header, footer and weight',
    load: async () => (await import('./commands/chunks.ts')).addChunks
  },
  records: {
    usage: '[options] [db]',
    summary: 'list log records in log order',
    load: async () => (await import('./commands/records.ts')).addRecords
  },
  streams: {
    usage: '[options] [db]',
    summary: 'list every stream in the log',
    load: async () => (await import('./commands/streams.ts')).addStreams
  },
  read: {
    usage: '[options] [db] [stream]',
    summary: 'read events through the index, as a client sees them',
    load: async () => (await import('./commands/read.ts')).addRead
  },
  index: {
    usage: '[options] [db]',
    summary: 'show the tables, levels, map and filters of the index',
    load: async () => (await import('./commands/index.ts')).addIndex
  },
  verify: {
    usage: '[options] [db]',
    summary: 'check log, index, filters and checkpoints against each other',
    load: async () => (await import('./commands/verify.ts')).addVerify
  },
  diff: {
    usage: '[options] [sides...]',
    summary: 'compare the logs of nodes and backups',
    load: async () => (await import('./commands/diff.ts')).addDiff
  },
  extract: {
    usage: '[options] [source]',
    summary: 'write events of a node or a backup to a file',
    load: async () => (await import('./commands/extract.ts')).addExtract
  },
  export: {
    usage: '[options] [source]',
    summary: 'make a new database of chosen streams',
    load: async () => (await import('./commands/export.ts')).addExport
  },
  doctor: {
    usage: '[options] [db] [serverOptions...]',
    summary: 'predict whether a server will start here',
    load: async () => (await import('./commands/doctor.ts')).addDoctor
  },
  startup: {
    usage: '[options] [db] [serverOptions...]',
    summary: 'say how long the next start takes, and prepare it',
    load: async () => (await import('./commands/doctor.ts')).addStartup
  },
  usage: {
    usage: '[options] [db]',
    summary: 'show what uses the space, and how much can be freed',
    load: async () => (await import('./commands/usage.ts')).addUsage
  },
  forecast: {
    usage: '[options] [db]',
    summary: 'say how fast the log grows, and when the disk is full',
    load: async () => (await import('./commands/forecast.ts')).addForecast
  },
  projections: {
    usage: '[options] [db]',
    summary: 'say what the links of projections cost',
    load: async () => (await import('./commands/projections.ts')).addProjections
  },
  thresholds: {
    usage: '[options] [db]',
    summary: 'compare thresholds for a scavenge',
    load: async () => (await import('./commands/thresholds.ts')).addThresholds
  },
  plan: {
    usage: '[options] [db]',
    summary: 'show exactly what a scavenge would remove',
    load: async () => (await import('./commands/plan.ts')).addPlan
  },
  explain: {
    usage: '[options] [db]',
    summary: 'say why an event, a stream or a chunk is kept or removed',
    load: async () => (await import('./commands/explain.ts')).addExplain
  },
  erasure: {
    usage: '[options] [db]',
    summary: 'find where events of the named streams still exist',
    load: async () => (await import('./commands/erasure.ts')).addErasure
  },
  redact: {
    usage: '[options] [db]',
    summary: 'overwrite the data of single events',
    load: async () => (await import('./commands/redact.ts')).addRedact
  },
  scavenge: {
    usage: '[options] [db]',
    summary: 'remove what was deleted or expired',
    load: async () => (await import('./commands/scavenge.ts')).addScavenge
  },
  rescue: {
    usage: '[options] [db]',
    summary: 'free a full disk, best chunks first',
    load: async () => (await import('./commands/rescue.ts')).addRescue
  },
  history: {
    usage: '[options] [db]',
    summary: 'list the scavenges of this database',
    load: async () => (await import('./commands/history.ts')).addHistory
  },
  fleet: {
    usage: '[options] [directories...]',
    summary: 'show how all known nodes and clusters stand',
    load: async () => (await import('./commands/fleet.ts')).addFleet
  },
  activity: {
    usage: '[options]',
    summary: 'operations of this machine, newest first',
    load: async () => (await import('./commands/activity.ts')).addActivity
  },
  'support-log': {
    usage: '[options]',
    summary: 'what a bug report needs, without data and names',
    load: async () => (await import('./commands/support-log.ts')).addSupportLog
  },
  backup: {
    usage: '',
    summary: 'take, list, verify and prune backups',
    load: async () => (await import('./commands/backup/backup.ts')).addBackup
  },
  repair: {
    usage: '[options] [db]',
    summary: 'repair what verification found',
    load: async () => (await import('./commands/repair.ts')).addRepair
  },
  restore: {
    usage: '[options] [backup]',
    summary: 'restore a backup onto a stopped node',
    load: async () => (await import('./commands/restore.ts')).addRestore
  },
  bundle: {
    usage: '[options] [db]',
    summary: 'make a database of the same shape to give away',
    load: async () => (await import('./commands/bundle.ts')).addBundle
  },
  sample: {
    usage: '[options] <dir>',
    summary: 'write a sample database',
    load: async () => (await import('./commands/sample.ts')).addSample
  },
  schedule: {
    usage: '[options] <expression>',
    summary: 'explain a CRON expression and list its next times',
    load: async () => (await import('./commands/schedule.ts')).addSchedule
  },
  config: {
    usage: '[options] [db]',
    summary: 'show the settings in force, each with its source',
    load: async () => (await import('./commands/config.ts')).addConfig
  },
  serve: {
    usage: '[options] [db]',
    summary: 'run the node service over HTTP',
    load: async () => (await import('./commands/serve.ts')).addServe
  },
  cluster: {
    usage: '',
    summary: 'scavenge and schedule clusters',
    load: async () => (await import('./commands/cluster.ts')).addCluster
  },
  user: {
    usage: '',
    summary: 'manage the users of the node service',
    load: async () => (await import('./commands/user.ts')).addUser
  },
  license: {
    usage: '',
    summary: 'show and check the auto-scavenge licence',
    load: async () => (await import('./commands/license.ts')).addLicense
  },
  completion: {
    usage: '<shell>',
    summary: 'print a completion script for a shell',
    needsAll: true,
    load: async () => (await import('./commands/completion.ts')).addCompletion
  },
  complete: {
    usage: '<what> [prefix] [words...]',
    summary: 'print the names that begin with what was typed',
    isHidden: true,
    load: async () => (await import('./commands/complete.ts')).addComplete
  },
  conformance: {
    usage: '<dir...>',
    summary: 'run conformance cases',
    isHidden: true,
    load: async () => (await import('./commands/conformance.ts')).addConformance
  }
};
