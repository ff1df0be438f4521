/** Where a thread keeps the digests of what it has read. Not at the rate of its operation: that counts the log. */
import { DerivedFiles, DigestStore, NodeFileSystem } from '../../src-core/index.ts';

/** `directory`: undefined for nowhere. */
export function digestStoreAt(directory: string | undefined): DigestStore | undefined {
  if (directory === undefined) return undefined;
  // The global one is loaded when it is first asked for; a thread should read by then.
  const newGuid = (): string => crypto.randomUUID();
  return new DigestStore(new DerivedFiles({ fileSystem: new NodeFileSystem(), directory, newGuid }));
}
