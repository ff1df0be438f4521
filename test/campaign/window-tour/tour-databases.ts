/**
 * What a stranger may point the window at: every golden database, samples of several sizes, one of many chunks and odd
 * names, and directories that are none. Each is made when its turn comes, in a directory of its own.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  goldenFolders,
  goldenNames,
  unpackDamaged,
  unpackDatabase,
  unpackTruncated
} from '../../support/golden.ts';
import { writeOddDatabase } from './odd-database.ts';

export interface TourDatabase {
  name: string;
  /** Makes it inside a directory that exists and is removed afterwards, and gives its data directory. */
  make: (parent: string) => Promise<string>;
  /** Done to it after some views were visited. */
  meanwhile?: (directory: string) => void;
}

/** The largest golden databases hold nothing for the eye that the others do not. */
const isDatabase = (folder: string): boolean => !['entries.tsv', 'backup'].includes(folder);

export function tourDatabases(): TourDatabase[] {
  return [...made(), ...golden()];
}

function golden(): TourDatabase[] {
  return goldenNames().flatMap((name): TourDatabase[] => {
    if (name.startsWith('damaged-')) return [{ name, make: async () => unpackDamaged(name) }];
    if (name.startsWith('truncate-')) return [{ name, make: async () => unpackTruncated(name) }];
    return goldenFolders(name)
      .filter(isDatabase)
      .map((folder) => ({ name: `${name}/${folder}`, make: async () => unpackDatabase({ name, folder }) }));
  });
}

function made(): TourDatabase[] {
  return [
    { name: 'sample-1MiB', make: (parent) => makeSample(parent, '1MiB') },
    { name: 'sample-64KiB', make: (parent) => makeSample(parent, '64KiB') },
    { name: 'sample-24MiB', make: (parent) => makeSample(parent, '24MiB') },
    { name: 'odd-300-chunks', make: (parent) => makeOdd(parent, 300) },
    {
      name: 'empty-directory',
      make: async (parent) => emptyDirectory(parent, 'empty')
    },
    {
      name: 'not-a-database',
      make: async (parent) => {
        const directory = emptyDirectory(parent, 'letters');
        writeFileSync(path.join(directory, 'letter.txt'), 'Dear reader');
        writeFileSync(path.join(directory, 'chunk-abc.000'), 'no chunk');
        return directory;
      }
    },
    {
      name: 'without-rights',
      make: async (parent) => {
        const directory = await makeSample(parent, '64KiB');
        for (const file of readdirSync(directory)) chmodSync(path.join(directory, file), 0);
        chmodSync(directory, 0);
        return directory;
      }
    },
    {
      name: 'removed-while-open',
      make: (parent) => makeSample(parent, '1MiB'),
      meanwhile: (directory) => rmSync(directory, { recursive: true, force: true })
    },
    {
      name: 'renamed-while-open',
      make: (parent) => makeSample(parent, '1MiB'),
      meanwhile: (directory) => renameSync(directory, `${directory}-elsewhere`)
    },
    {
      name: 'chunks-removed-while-open',
      make: (parent) => makeSample(parent, '1MiB'),
      meanwhile: (directory) => {
        for (const file of readdirSync(directory)) {
          if (/^chunk-00000[12]/.test(file)) rmSync(path.join(directory, file));
        }
      }
    },
    {
      name: 'index-removed-while-open',
      make: (parent) => makeSample(parent, '1MiB'),
      meanwhile: (directory) => rmSync(path.join(directory, 'index'), { recursive: true, force: true })
    },
    {
      name: 'without-index',
      make: async (parent) => {
        const directory = await makeSample(parent, '1MiB');
        rmSync(path.join(directory, 'index'), { recursive: true });
        return directory;
      }
    },
    {
      name: 'without-checkpoints',
      make: async (parent) => {
        const directory = await makeSample(parent, '1MiB');
        for (const file of readdirSync(directory)) {
          if (file.endsWith('.chk')) rmSync(path.join(directory, file));
        }
        return directory;
      }
    },
    {
      name: 'odd-path',
      make: async (parent) => {
        const directory = await makeSample(parent, '64KiB');
        const odd = path.join(parent, `<b>odd & ünï ${'long '.repeat(30)}'"%41#?`);
        renameSync(directory, odd);
        return odd;
      }
    }
  ];
}

function emptyDirectory(parent: string, name: string): string {
  const directory = path.join(parent, name);
  mkdirSync(directory);
  return directory;
}

async function makeOdd(parent: string, chunks: number): Promise<string> {
  const directory = path.join(parent, 'odd');
  await writeOddDatabase(directory, { chunks, seed: 5 });
  return directory;
}

/** By the command line that was built: the sample as everybody gets it. */
export async function makeSample(parent: string, size: string): Promise<string> {
  const directory = path.join(parent, 'sample');
  const run = spawnSync(
    process.execPath,
    [path.resolve('out/main/cli.js'), 'sample', directory, '--size', size, '--yes'],
    { encoding: 'utf8', env: { ...process.env, WINNOW_HOME: path.join(parent, 'home') } }
  );
  if (run.status !== 0) throw new Error(`The sample was not made: ${run.stderr}`);
  return directory;
}
