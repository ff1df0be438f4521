/**
 * The files of the index by themselves, of a database that a server may have open. It saves its map by unlink and
 * rename, and removes tables it has merged: where the map has changed when damage was found, the index is looked at
 * again.
 */
import type { Database } from '../database/database.ts';
import type { OperationControl } from '../database/operation-control.ts';
import { INDEX_MAP_NAME } from '../index/index-map.ts';
import { IndexDirectory } from '../index/index-directory.ts';
import type { IndexProblem } from '../index/index-problem.ts';
import { filterNameOf } from '../index/index-table-reader.ts';
import { verifyIndex } from '../index/verify-index.ts';
import { readCheckpoints } from '../log/checkpoint-file.ts';
import type { ProofNotes } from '../proof/proof-notes.ts';
import { provableTable, type ProvableFile } from '../proof/provable-file.ts';
import { readWholeFile } from '../storage/file-system.ts';

/** A server cannot merge as often as this while we read a few tables. */
const ATTEMPTS = 4;

export interface IndexFilesVerified {
  /** Open; the caller closes it. */
  directory: IndexDirectory;
  problems: IndexProblem[];
}

export async function verifyIndexFiles(
  database: Database,
  { quick, control, proofs }: { quick: boolean; control: OperationControl; proofs?: ProofNotes | undefined }
): Promise<IndexFilesVerified> {
  for (let attempt = 1; ; attempt++) {
    const map = mapBytes(database);
    const directory = openIndexAsItIs(database);
    try {
      const noted = quick ? undefined : proofs?.begin(provableTables(directory));
      control.report({ phase: 'index', done: 0, total: directory.tables.length, unit: 'tables' }, true);
      const problems = await verifyIndex(directory, { breathe: () => control.breathe(), isQuick: quick });
      noted?.forEach((end, i) => {
        const table = directory.tables[i]!;
        const own = problems.filter(({ file }) => isOfTable(file, table.name));
        end({ findings: own }, provableTable(database.fileSystem, table));
      });
      const isDamaged = problems.some(({ severity }) => severity === 'damage');
      if (attempt === ATTEMPTS || (!isDamaged && problems.length === 0) || map === mapBytes(database)) {
        return { directory, problems };
      }
    } catch (error) {
      directory.close();
      throw error;
    }
    directory.close();
  }
}

export function provableTables({ fileSystem, tables }: IndexDirectory): ProvableFile[] {
  return tables.map((table) => provableTable(fileSystem, table));
}

/** A problem of the table, or of the filter beside it. */
function isOfTable(file: string | null, table: string): boolean {
  return file === table || file === filterNameOf(table);
}

/** The chaser may have moved on, and the index with it, since the check points were read. */
export function openIndexAsItIs(database: Database): IndexDirectory {
  const { fileSystem, dataDirectory, indexDirectory, checkpoints, log } = database;
  const open = (logEnd: number) =>
    IndexDirectory.open({ fileSystem, directory: indexDirectory, logEnd, log });
  const directory = open(checkpoints.chaser ?? 0);
  if (directory.problems.every(({ code }) => code !== 'indexAheadOfLog')) return directory;
  const { chaser } = readCheckpoints(fileSystem, dataDirectory);
  if (chaser === null || chaser <= (checkpoints.chaser ?? 0)) return directory;
  directory.close();
  return open(chaser);
}

function mapBytes({ fileSystem, indexDirectory }: Database): string {
  const bytes = readWholeFile(fileSystem, fileSystem.join(indexDirectory, INDEX_MAP_NAME));
  return bytes ? Buffer.from(bytes).toString('latin1') : '';
}
