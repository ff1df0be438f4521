/** A record without an entry in a chunk that a running scavenge removes while index and log are compared. */
import { expect, it } from 'vitest';
import { EngineError } from '../../../src-core/errors.ts';
import { ScavengedEntries } from '../../../src-core/verify/scavenged-entries.ts';

/** A log that answers each question with this error. */
const failingWith = (error: Error) => ({
  readAt: () => {
    throw error;
  }
});

it('is one whose entry the scavenge took, not a reason to end the verification', () => {
  const gone = new EngineError({
    code: 'StorageFailed',
    message: 'chunk-000000.000000 cannot be opened.',
    remedy: 'Look.',
    details: { osCode: 'ENOENT' }
  });
  expect(new ScavengedEntries({ log: failingWith(gone), sources: [] }).isScavenged(0)).toBe(true);
});

it('is told as unreadable where its chunk is there and cannot be read', () => {
  const unreadable = new EngineError({
    code: 'LogCorrupt',
    message: 'The record at position 0 is damaged.',
    remedy: 'Look.'
  });
  const entries = new ScavengedEntries({ log: failingWith(unreadable), sources: [] });
  expect(() => entries.isScavenged(0)).toThrow(unreadable);
});
