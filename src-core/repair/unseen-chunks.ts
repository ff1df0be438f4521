/**
 * Chunks that a verification did not take for completed ones, because the writer checkpoint lay too early: they count
 * once it is moved on, and a plan is to name what is wrong with them before that is done.
 */
import { transformName } from '../chunks/chunk-header.ts';
import type { ChunkSet } from '../log/chunk-set.ts';
import { damage, type Finding } from '../verify/finding.ts';
import { examineChunk } from './examine-chunk.ts';
import type { PlanRepair } from './repair-plan.ts';

/** `set` is the planned log; `settled` are files that the plan for its end handles. */
export async function findUnseen(
  { database, control }: PlanRepair,
  set: ChunkSet,
  settled: ReadonlySet<string>
): Promise<Finding[]> {
  const size = set.chunkSizeBytes;
  const firstUnseen = Math.floor(database.log.end / size);
  if (Math.floor(set.writerPosition / size) <= firstUnseen) return [];
  const isUnseen = (position: number) => position >= firstUnseen * size;
  const numberOf = (file: string) => Number(file.slice('chunk-'.length, 'chunk-000000'.length));
  const found = set.problems
    .filter(({ severity, file, position }) => {
      const at = position ?? (file?.startsWith('chunk-') ? numberOf(file) * size : -1);
      return severity === 'damage' && isUnseen(at) && !settled.has(file ?? '');
    })
    .map(({ code, ...rest }) => damage(code, rest));
  for (const { fileName, path, footer, header, startPosition } of set.chunks) {
    if (!footer || !isUnseen(startPosition) || transformName(header) !== undefined) continue;
    const { fileSystem } = database;
    const examined = await examineChunk({ fileSystem, path, fileName, control });
    if (typeof examined !== 'string') continue;
    const message = `${examined.charAt(0).toUpperCase()}${examined.slice(1).replace(/\.$/, '')}.`;
    found.push(
      damage('chunkHashMismatch', {
        file: fileName,
        message,
        remedy: `Restore ${fileName} from a backup.`
      })
    );
  }
  return found;
}
