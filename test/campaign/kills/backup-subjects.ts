/** Commands that make backups and files of a database, or a database of a backup, and what is killed of them. */
import fs from 'node:fs';
import path from 'node:path';
import { requireSeen } from '../../support/independent/seen-events.ts';
import {
  POINT,
  requireSameFiles,
  requireVerified,
  sample,
  seenIn,
  writesHistory,
  type KillSubject
} from './kill-subject.ts';
import { requireCommand } from './killed-command.ts';

export const createBackup = (...words: string[]): string[] => [
  ...['backup', 'create', 'db', '--to', 'backups', '--moved', ...words, '--yes', '--quiet']
];

interface ListedBackups {
  backups: { id: string }[];
  unfinished: string[];
}

async function backupsIn(directory: string): Promise<ListedBackups> {
  const { stdout } = await requireCommand(directory, ['backup', 'list', 'backups', '--json']);
  return JSON.parse(stdout) as ListedBackups;
}

/** All backups verify, and the newest restored is what a reader of the database sees. */
async function requireBackups(directory: string): Promise<void> {
  await requireCommand(directory, ['backup', 'verify', 'backups', '--all', '--quiet']);
  await requireCommand(directory, ['restore', 'backups', '--to', 'restored', '--yes', '--quiet']);
  requireSeen(seenIn(directory, 'db'), seenIn(directory, 'restored'), writesHistory);
}

/** The files of a backup that is not compressed are those of a database: at least one is whole. */
function requireOneWhole(directory: string): void {
  const expected = seenIn(directory, 'db');
  const target = path.join(directory, 'backups');
  const whole = fs
    .readdirSync(target)
    .filter((name) => fs.existsSync(path.join(target, name, 'data/chunk-000000.000000')))
    .filter((name) => fs.existsSync(path.join(target, name, 'manifest.json')));
  if (whole.length === 0) throw new Error('no backup is left');
  for (const name of whole) requireSeen(seenIn(target, name, 'data'), expected, writesHistory);
}

async function withBackup(directory: string): Promise<void> {
  await sample(directory);
  await requireCommand(directory, createBackup());
}

const isNotEmpty = (stderr: string): boolean => stderr.includes('is not empty');

export const BACKUP_SUBJECTS: readonly KillSubject[] = [
  {
    name: 'first backup',
    prepare: (directory) => sample(directory),
    words: createBackup(),
    logs: ['db'],
    atEnd: requireBackups
  },
  {
    name: 'differential backup, compressed',
    prepare: async (directory) => {
      await withBackup(directory);
      const words = ['--scavenge-point', 'new', '--single-node', '--yes', '--quiet'];
      await requireCommand(directory, ['scavenge', 'db', ...words]);
    },
    words: createBackup('--compress'),
    logs: ['db'],
    atAnyMoment: requireOneWhole,
    atEnd: requireBackups
  },
  {
    name: 'prune',
    prepare: async (directory) => {
      await sample(directory);
      for (let i = 0; i < 3; i++) await requireCommand(directory, createBackup('--mode', 'full'));
    },
    words: ['backup', 'prune', 'backups', '--keep-last', '1', '--yes', '--quiet'],
    logs: ['db'],
    atAnyMoment: requireOneWhole,
    atEnd: async (directory) => {
      const { backups, unfinished } = await backupsIn(directory);
      if (backups.length !== 1 || unfinished.length > 0) throw new Error('not one backup is left');
      await requireBackups(directory);
    }
  },
  {
    name: 'restore over a database',
    prepare: async (directory) => {
      await sample(directory, { size: '512KiB', seed: '4' });
      await requireCommand(directory, createBackup());
      fs.renameSync(path.join(directory, 'db'), path.join(directory, 'origin'));
      await sample(directory);
    },
    words: ['restore', 'backups', '--to', 'db', '--apply-truncation', '--yes', '--quiet'],
    goesOnWith: (stderr) =>
      stderr.includes('--continue') ? ['restore', '--continue', '--to', 'db', '--yes', '--quiet'] : undefined,
    isDone: (stderr) => /^Error: No restore into .* is unfinished/m.test(stderr),
    logs: ['origin'],
    atEnd: async (directory) => {
      await requireVerified(directory);
      requireSeen(seenIn(directory, 'origin'), seenIn(directory, 'db'));
    }
  },
  {
    name: 'scavenge of a backup',
    prepare: withBackup,
    words: async (directory) => {
      const { id } = (await backupsIn(directory)).backups[0]!;
      return [
        'backup',
        'scavenge',
        'backups',
        '--backup',
        id,
        ...POINT.slice(0, 2),
        '--scratch',
        'scratch',
        '--yes'
      ];
    },
    logs: ['db'],
    atAnyMoment: requireOneWhole,
    atEnd: requireBackups
  },
  {
    name: 'extraction',
    prepare: (directory) => sample(directory),
    words: [
      'extract',
      'db',
      '--to',
      'parts/',
      '--part-size',
      '64KiB',
      '--format',
      'jsonl',
      '--yes',
      '--quiet'
    ],
    isDone: isNotEmpty,
    logs: ['db'],
    atEnd: (directory, uncut) => Promise.resolve(requireSameFiles(directory, uncut, 'parts'))
  },
  {
    name: 'export of a database',
    prepare: (directory) => sample(directory),
    words: ['export', 'db', '--category', 'order', '--to-database', 'new', '--yes', '--quiet'],
    isDone: isNotEmpty,
    logs: ['db'],
    atEnd: async (directory, uncut) => {
      // Its epochs and what the system writes have ids of their own.
      requireSeen(seenIn(uncut, 'new'), seenIn(directory, 'new'), {
        mayDiffer: (name) => name.startsWith('$')
      });
      await requireVerified(directory, 'new');
    }
  },
  {
    name: 'bundle',
    prepare: (directory) => sample(directory),
    words: ['bundle', 'db', '--to', 'problem', '--yes', '--quiet'],
    isDone: isNotEmpty,
    logs: ['db'],
    atEnd: (directory) => requireVerified(directory, 'problem')
  }
];
