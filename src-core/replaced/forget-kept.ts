/**
 * Gives the space of kept files back: those that have expired, or those that a person no longer wants. Only the second names
 * in Winnow's own folder go, and only while the log is whole without them; so it may be done beside a running server.
 */
import { openDatabase } from '../database/database.ts';
import { requireFaultBut } from '../errors.ts';
import { isUndoUnfinished, refuseUnfinishedUndo } from '../storage/undo-marker.ts';
import { ticksFromIso, type Ticks } from '../units/ticks.ts';
import {
  keptDirectoryOf,
  listKept,
  lockKept,
  removeKept,
  sweepKept,
  type KeptGeneration,
  type KeptPlace
} from './kept-folders.ts';
import { isKeptId } from './kept-manifest.ts';
import { keptUse } from './kept-space.ts';

export interface ForgetOutcome {
  forgotten: string[];
  freedBytes: number;
}

export interface ForgetKept extends KeptPlace {
  assumeStopped: boolean;
  /** One of them, or all. */
  id?: string | undefined;
}

/** Removes what is kept. Refuses a log that is not whole: the kept files may be all there is. */
export function forgetKept(question: ForgetKept): ForgetOutcome {
  const { fileSystem, dataDirectory, id } = question;
  refuseUnfinishedUndo(fileSystem, dataDirectory);
  requireWholeLog(question);
  return forget(question, (one) => id === undefined || one.id === id);
}

/** Bytes that `forgetKept` would free. */
export function forgettable({ id, ...place }: Omit<ForgetKept, 'assumeStopped'>): ForgetOutcome {
  const { kept, bytes } = keptUse(place);
  const chosen = kept.filter((one) => id === undefined || one.id === id);
  const freedBytes = chosen.length === kept.length ? bytes : chosen.reduce((sum, one) => sum + one.bytes, 0);
  return { forgotten: chosen.map((one) => one.id), freedBytes };
}

/**
 * Removes what has expired, if the log is whole without it and nobody else works on it; otherwise nothing. `null`: there was
 * nothing to do.
 */
export function expireKept(
  question: KeptPlace & { assumeStopped: boolean; now: Ticks }
): ForgetOutcome | null {
  const { fileSystem, dataDirectory, now } = question;
  const isExpired = (one: KeptGeneration): boolean => {
    const expires = 'manifest' in one ? ticksFromIso(one.manifest.expiresAt) : undefined;
    return expires !== undefined && expires <= now;
  };
  if (!listKept(question).some(isExpired) && !hasStrays(question)) return null;
  if (isUndoUnfinished(fileSystem, dataDirectory)) return null;
  try {
    requireWholeLog(question);
    return forget(question, isExpired);
  } catch (error) {
    // Neither a damaged log nor another process that works here is this one's affair: it comes to it another time.
    requireFaultBut(error, 'AssertionFailed', 'StorageFailed');
    return null;
  }
}

/** What a killed process has left: folders that no manifest stands for, or the directory with nothing in it. */
function hasStrays(place: KeptPlace): boolean {
  const { fileSystem, dataDirectory } = place;
  const entries = fileSystem.list(keptDirectoryOf(fileSystem, dataDirectory));
  if (!entries) return false;
  const known = new Set(listKept(place).map(({ id }) => id));
  return (
    known.size === 0 ||
    entries.some(({ name, isDirectory }) => isDirectory && isKeptId(name) && !known.has(name))
  );
}

function requireWholeLog(place: KeptPlace): void {
  const database = openDatabase(place);
  try {
    database.requireWhole();
  } finally {
    database.close();
  }
}

function forget(
  question: KeptPlace & { assumeStopped: boolean },
  isMeant: (one: KeptGeneration) => boolean
): ForgetOutcome {
  const release = lockKept(question, question.assumeStopped);
  try {
    const before = keptUse(question).bytes;
    const forgotten = listKept(question).filter(isMeant);
    for (const { id } of forgotten) removeKept(question, id);
    const freedBytes = before - keptUse(question).bytes;
    sweepKept(question);
    return { forgotten: forgotten.map(({ id }) => id), freedBytes };
  } finally {
    release();
  }
}
