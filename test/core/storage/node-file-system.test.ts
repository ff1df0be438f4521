/** What only the real file system does. */
import { expect, it } from 'vitest';
import { EngineError } from '../../../src-core/errors.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';

it.runIf(process.platform === 'linux')('ends with a failure where the system takes no directory', () => {
  const make = (): void => new NodeFileSystem().makeDirectory('/proc/nowhere/at/all');
  expect(make).toThrow(EngineError);
  expect(make).toThrow(/create/);
});
