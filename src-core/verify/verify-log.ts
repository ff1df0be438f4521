/**
 * The log by itself: which files it is made of, checkpoints, every byte of every completed chunk against its hash,
 * every record up to the writer's position. Never repairs, and does not stop at the first fault.
 */
import type { Database } from '../database/database.ts';
import type { OperationControl } from '../database/operation-control.ts';
import type { LogProblem } from '../log/log-problem.ts';
import { hint, type Finding } from './finding.ts';
import { verifyCheckpoints } from './verify-checkpoints.ts';
import { verifyChunkHash, verifyChunkRecords } from './verify-chunk.ts';

export interface VerifyLog {
  database: Database;
  /** Without the hashes of chunks: records are walked all the same. */
  quick: boolean;
  control: OperationControl;
}

export interface LogVerified {
  findings: Finding[];
  notChecked: string[];
  files: number;
  bytes: number;
  records: number;
}

export async function verifyLog({ database, quick, control }: VerifyLog): Promise<LogVerified> {
  const { chunkSet, fileSystem } = database;
  const findings = [
    ...chunkSet.problems.map(asFinding),
    ...leftBehind(database),
    ...verifyCheckpoints(database)
  ];
  const notChecked: string[] = [];
  let bytes = 0;
  let records = 0;
  let done = 0;
  const total = chunkSet.chunks.reduce(
    (sum, chunk) => sum + chunk.dataSize + (quick ? 0 : chunk.fileSize),
    0
  );
  const report = () => control.report({ phase: 'chunks', done, total, unit: 'bytes' });

  for (const chunk of chunkSet.chunks) {
    const parts = { fileSystem, chunk, control };
    if (!quick) {
      const onBytes = (count: number) => {
        done += count;
        bytes += count;
        report();
      };
      const wrong = await verifyChunkHash(parts, onBytes);
      if (wrong) findings.push(wrong);
    }
    let walked = 0;
    const broken = await verifyChunkRecords(parts, (record) => {
      records++;
      walked += record.length;
      if (records % 4096 === 0)
        control.report({ phase: 'chunks', done: done + walked, total, unit: 'bytes' });
    });
    done += chunk.dataSize;
    if (broken) findings.push(broken);
    report();
    await control.breathe();
  }
  if (quick) notChecked.push('hashes of chunks');
  for (const { code, file } of chunkSet.problems) {
    if (code === 'encrypted' && file !== null) notChecked.push(`records of ${file} (encrypted)`);
  }
  const active = chunkSet.chunks.find((chunk) => chunk.isActive);
  if (active) notChecked.push(`payloads in ${active.fileName}: the chunk being written has no hash yet`);
  return { findings, notChecked, files: chunkSet.chunks.length, bytes, records };
}

function asFinding(problem: LogProblem): Finding {
  return { ...problem, command: null };
}

function leftBehind({ chunkSet }: Database): Finding[] {
  return [
    ...chunkSet.superseded.map(({ file, fileSize }) =>
      hint('supersededChunk', {
        file,
        message: `${file} (${fileSize} bytes) was replaced by a newer version or a merged chunk.`,
        remedy: 'Nothing to do: the server removes it at its next start, a scavenge by us as well.'
      })
    ),
    ...chunkSet.leftovers.map(({ file, fileSize }) =>
      hint('temporaryFile', {
        file,
        message: `${file} (${fileSize} bytes) is left over from a rewrite that was cut.`,
        remedy: 'Nothing to do: the server removes it at its next start, a scavenge by us as well.'
      })
    )
  ];
}
