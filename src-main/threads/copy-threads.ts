/** Threads that copy files into a local backup. If one dies, its file fails, and with it the backup, which is then unfinished. */
import type { CopiedFile, CopyJob, FileCopier } from '../../src-core/index.ts';
import { ThreadPool, threadUrl } from './thread-pool.ts';

export interface CopyThreads extends FileCopier {
  close(): Promise<void>;
}

/** At most `count` threads, started when they are first needed. */
export function startCopyThreads(count: number): CopyThreads {
  const pool = new ThreadPool<CopyJob, CopiedFile>({
    url: threadUrl('copy-worker', import.meta.url),
    count,
    name: 'A thread that copies files',
    remedy:
      'Run the backup again with --threads 1; it resumes where it stopped. Report this with the details.'
  });
  return {
    copy: (job, { onBytes, signal }) => pool.ask(job, { onAdvanced: onBytes, signal }),
    close: () => pool.close()
  };
}
