/** Writes a document to the file that a person named or chose: completely or not at all; follows a link. */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { EngineError, NodeFileSystem, replaceFile, requireRegularFile } from '../../src-core/index.ts';

/** `remedy`: what to do if it cannot be written. Throws StorageFailed. */
export function saveFile(file: string, text: string, remedy: string): void {
  try {
    requireRegularFile(file);
    const target = leadsTo(path.resolve(file));
    const name = path.basename(target);
    replaceFile(new NodeFileSystem(), {
      directory: path.dirname(target),
      name,
      temporaryName: `.${name}.${process.pid}.tmp`,
      bytes: new TextEncoder().encode(text)
    });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new EngineError({
      code: 'StorageFailed',
      message: `Could not write ${file}: ${reason}`,
      remedy,
      details: { file, ...(cause instanceof EngineError ? { osCode: cause.details.osCode } : {}) },
      cause
    });
  }
}

function leadsTo(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file; // it does not exist yet
  }
}
