/** Real worker threads that hash and seal new files together, however few and small they are. */
import type { StartRewriteWorkers } from '../../src-core/scavenge/output/rewrite-workers.ts';
import { startRewriteWorkers } from '../../src-main/threads/start-rewrite-workers.ts';

/** `onSealed`: hears of each file, and how many were hashed with it. */
export function sealingTogether(onSealed: (together: number) => void): StartRewriteWorkers {
  return (wanted) => {
    const workers = startRewriteWorkers(wanted);
    const { sealing } = workers;
    if (!sealing) return workers; // a machine with one processor has no thread for it
    const groups = new Map<string, number>();
    return {
      ...workers,
      sealing: {
        ...sealing,
        leastBytes: 0,
        leastFiles: 2,
        hashes: (files) => {
          for (const { path } of files) groups.set(path, files.length);
          return sealing.hashes(files);
        },
        seal: async (file, md5) => {
          await sealing.seal(file, md5);
          onSealed(groups.get(file.path)!);
        }
      }
    };
  };
}
