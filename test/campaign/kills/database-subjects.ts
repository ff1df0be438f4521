/** Commands that change a database, and what is killed of them. */
import fs from 'node:fs';
import path from 'node:path';
import { unpackDamaged, unpackDatabase } from '../../support/golden.ts';
import { createBackup } from './backup-subjects.ts';
import {
  NOW,
  POINT,
  requireSameContent,
  requireVerified,
  sample,
  writesHistory,
  type KillSubject
} from './kill-subject.ts';
import { requireCommand } from './killed-command.ts';

const SERVER = ['--', '--stream-existence-filter-size=10000'] as const;
/** Of an event each: a redaction of a few takes no time. */
const REDACTED_EVENTS = 40;

const withSample = (directory: string): Promise<void> => sample(directory);

function changing(
  name: string,
  words: KillSubject['words'],
  prepare: KillSubject['prepare'] = withSample
): KillSubject {
  return {
    ...{ name, words, prepare, logs: ['db'], change: writesHistory },
    atEnd: async (directory, uncut) => {
      await requireSameContent(directory, uncut);
      await requireVerified(directory);
    }
  };
}

const scavenge = (...words: string[]): string[] => ['scavenge', 'db', ...words, '--yes', '--quiet'];

function unpacked(database: () => string): KillSubject['prepare'] {
  return (directory) => {
    fs.cpSync(database(), path.join(directory, 'db'), { recursive: true });
    return Promise.resolve();
  };
}

export const DATABASE_SUBJECTS: readonly KillSubject[] = [
  changing('scavenge', scavenge(...POINT, '--threads', '1')),
  changing('scavenge, two threads', scavenge(...POINT, '--threads', '2')),
  {
    ...changing('scavenge with a new point', scavenge('--scavenge-point', 'new', '--single-node')),
    // What it writes into the log has ids and times of its own.
    atEnd: (directory) => requireVerified(directory)
  },
  changing('scavenge that only merges', scavenge(...POINT), async (directory) => {
    await sample(directory);
    await requireCommand(directory, scavenge(...POINT, '--no-merge'));
  }),
  {
    ...changing('scavenge that keeps what it replaces', scavenge(...POINT, '--keep-replaced', '7d')),
    atEnd: async (directory, uncut) => {
      await requireSameContent(directory, uncut);
      await requireVerified(directory);
      if (directory === uncut) return;
      await requireCommand(directory, ['scavenge', '--undo', 'db', '--yes', '--quiet']);
      await requireVerified(directory);
    }
  },
  {
    ...changing('undo of a scavenge', ['scavenge', '--undo', 'db', '--yes', '--quiet'], async (directory) => {
      await sample(directory);
      await requireCommand(directory, scavenge(...POINT, '--keep-replaced', '7d'));
    }),
    isDone: (stderr) => stderr.includes('Nothing that a scavenge replaced')
  },
  changing('rescue', ['rescue', 'db', ...POINT, '--reserve', '0', '--yes', '--quiet']),
  changing('index rebuild', ['index', 'rebuild', 'db', '--yes', '--quiet']),
  changing(
    'prepared start',
    ['startup', 'db', '--prepare', '--yes', '--quiet', ...SERVER],
    unpacked(() => unpackDatabase({ name: 'killed-clean-tables', folder: 'at-kill' }))
  ),
  {
    ...changing(
      'repair of all checkpoints',
      ['repair', 'db', '--assume-stopped', '--yes', '--quiet'],
      unpacked(() => unpackDamaged('damaged-h-all-chk-missing'))
    ),
    logs: []
  },
  {
    ...changing(
      'repair from a backup',
      ['repair', 'db', '--from-backup', 'backups', '--yes', '--quiet'],
      async (directory) => {
        await sample(directory);
        await requireCommand(directory, createBackup());
        const chunk = path.join(directory, 'db/chunk-000002.000000');
        const bytes = fs.readFileSync(chunk);
        bytes[4000]! ^= 1;
        fs.chmodSync(chunk, 0o644);
        fs.writeFileSync(chunk, bytes);
        fs.rmSync(path.join(directory, 'db/chunk-000004.000000'));
      }
    ),
    logs: []
  },
  {
    ...changing('redaction', async (directory) => {
      const words = ['records', 'db', '--filter', 'stream:session-*', '--json', '--limit', '400'];
      const { stdout } = await requireCommand(directory, words);
      const rows = stdout.trim().split('\n');
      const ids = rows.map((line) => (JSON.parse(line) as { eventId: string }).eventId);
      const chosen = ids.slice(0, REDACTED_EVENTS).flatMap((id) => ['--event', id]);
      return ['redact', 'db', ...chosen, '--yes', '--quiet'];
    }),
    logs: []
  }
];

/** Another door to a scavenge of the same database. */
export const scavengeAtDoor = (name: string, run: NonNullable<KillSubject['run']>): KillSubject => ({
  ...changing(name, scavenge('--scavenge-point', 'new', '--single-node', '--now', NOW)),
  run,
  atEnd: (directory) => requireVerified(directory)
});
