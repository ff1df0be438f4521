import { expect, it, vi } from 'vitest';
import { EngineError, NodeFileSystem, OperationControl } from '../../../src-core/index.ts';
import { runReportOperation, runStreamOperation } from '../../../src-main/operations/operation-table.ts';

vi.mock('../../../src-main/operations/database/inspect-database.ts', () => {
  throw new Error('no such file');
});
vi.mock('../../../src-main/operations/records/list-records.ts', () => {
  throw new Error('no such file');
});

const context = {
  fileSystem: new NodeFileSystem(),
  control: new OperationControl({
    signal: new AbortController().signal,
    elapsedMs: () => 0,
    yieldTurn: () => Promise.resolve(),
    onProgress: () => undefined
  }),
  clock: Date.now,
  log: () => undefined
};
const refusal = {
  code: 'StorageFailed',
  message: 'A part of Winnow cannot be loaded: its files were changed or removed since it was started.',
  remedy: 'Start Winnow again. If it says the same then, install it again.'
};

it('An operation whose files are gone, as after an update of a running Winnow, asks to start it again', async () => {
  const report = runReportOperation('inspectDatabase', {}, context);
  await expect(report).rejects.toBeInstanceOf(EngineError);
  await expect(report).rejects.toMatchObject(refusal);
  const rows = runStreamOperation('listRecords', {}, context);
  await expect(rows.next()).rejects.toMatchObject(refusal);
});
