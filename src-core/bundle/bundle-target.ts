/** Where a bundle goes: made, or unpacked. */
import { EngineError } from '../errors.ts';
import type { FileSystem } from '../storage/file-system.ts';

/** A folder beside the destination, of the same volume. */
export function partialPathOf(target: string): string {
  return `${target}.partial`;
}

/** Refuses a destination that holds anything. */
export function requireFreeTarget(fileSystem: FileSystem, target: string): void {
  const facts = fileSystem.describe(target);
  if (!facts) return;
  if (facts.isDirectory && fileSystem.list(target)?.length === 0) return;
  throw new EngineError({
    code: 'InvalidRequest',
    message: `${target} is not empty; a bundle needs a new or empty directory.`,
    remedy: 'Choose another directory.',
    details: { field: 'to', file: target }
  });
}
