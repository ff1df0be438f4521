/** Writes a document to the file that a person named or chose, at once or in pieces: completely or not at all; follows a link. */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { EngineError, NodeFileSystem, replaceFile, requireRegularFile } from '../../src-core/index.ts';
import { removeLeftBehind } from './left-behind.ts';

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
    throw notWritten(file, remedy, cause);
  }
}

/** A document that is written piece by piece beside its place and moved there when it is complete. */
export interface GrowingFile {
  write: (text: string) => void;
  /** Synchronises it and puts it in its place. */
  finish: () => void;
  /** Nothing stays of it. */
  discard: () => void;
}

/** As saveFile, for what is too long to be held. `key` tells it from others on their way to the same place. */
export function openGrowingFile(file: string, key: string, remedy: string): GrowingFile {
  const fileSystem = new NodeFileSystem();
  const carefully = <T>(act: () => T): T => {
    try {
      return act();
    } catch (cause) {
      throw notWritten(file, remedy, cause);
    }
  };
  const target = carefully(() => {
    requireRegularFile(file);
    return leadsTo(path.resolve(file));
  });
  carefully(() =>
    removeLeftBehind(fileSystem, {
      directory: path.dirname(target),
      before: `.${path.basename(target)}.`,
      after: /^\d+\.\w+\.tmp$/
    })
  );
  const temporary = path.join(path.dirname(target), `.${path.basename(target)}.${process.pid}.${key}.tmp`);
  const open = carefully(() => {
    // Of an earlier process that had the same number, as in a container.
    fileSystem.remove(temporary);
    return fileSystem.open(temporary, 'createNew');
  });
  let isOpen = true;
  let size = 0;
  const close = (): void => {
    if (isOpen) open.close();
    isOpen = false;
  };
  return {
    write: (text) =>
      carefully(() => {
        const bytes = new TextEncoder().encode(text);
        open.write(bytes, 0, bytes.length, size);
        size += bytes.length;
      }),
    finish: () =>
      carefully(() => {
        const old = fileSystem.describe(target);
        if (old) fileSystem.changeMode(temporary, old.mode & 0o777);
        open.sync();
        close();
        fileSystem.rename(temporary, target);
        fileSystem.syncDirectory(path.dirname(target));
      }),
    discard: () => {
      close();
      fileSystem.remove(temporary);
    }
  };
}

function notWritten(file: string, remedy: string, cause: unknown): EngineError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new EngineError({
    code: 'StorageFailed',
    message: `Could not write ${file}: ${reason}`,
    remedy,
    details: { file, ...(cause instanceof EngineError ? { osCode: cause.details.osCode } : {}) },
    cause
  });
}

function leadsTo(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file; // it does not exist yet
  }
}
