/** A new, empty directory for the files of one operation, which removes it at its end. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EngineError, makeDirectories } from '../../src-core/index.ts';

/**
 * `above`: where the user wants it, made if it is not there; undefined: where the system keeps temporary files.
 * `use`: a word for its name. Throws StorageFailed if none can be made there.
 */
export function makeScratchDirectory(above: string | undefined, use: string): string {
  const parent = path.resolve(above ?? tmpdir());
  try {
    makeDirectories(parent);
    return mkdtempSync(path.join(parent, `winnow-${use}-`));
  } catch (cause) {
    const { code = 'unknown', message } = cause as NodeJS.ErrnoException;
    throw new EngineError({
      code: 'StorageFailed',
      message: `No temporary directory can be made in ${parent}: ${message}.`,
      remedy:
        above === undefined
          ? 'Check its permissions and its free space, or name another directory (--scratch, or TMPDIR).'
          : 'Check its permissions and its free space, or name another directory.',
      details: { file: parent, osCode: code },
      cause
    });
  }
}
