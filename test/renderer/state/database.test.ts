import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Database } from '../../../src-renderer/state/database.svelte.ts';
import { chunksReport, node } from '../fake-database.ts';
import { FakeWorkbench } from '../fake-workbench.ts';

let fake: FakeWorkbench;
let database: Database;

beforeEach(async () => {
  fake = new FakeWorkbench().install();
  database = new Database();
  await database.show(node.id);
});

const inspections = (): number => fake.callsOf('inspectDatabase').length;
const listings = (): number => fake.callsOf('listChunks').length;

describe('the shown database', () => {
  test('is inspected once more for all changes that come while it is being inspected', async () => {
    expect(inspections()).toBe(1);
    const hearings = Array.from({ length: 20 }, () =>
      database.onFilesChanged(node.id, ['checkpoints', 'chunks'])
    );
    await Promise.all(hearings);
    await vi.waitFor(() => expect(inspections()).toBe(3));
    await database.onFilesChanged(node.id, ['index']);
    expect(inspections()).toBe(4);
  });

  test('is not inspected again for what our own scavenge changes, but its chunks are followed', async () => {
    // The clock goes on: the last reading was before.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { version } = database;
      fake.answers['listChunks'] = () => ({
        ...chunksReport,
        chunks: chunksReport.chunks.slice(1)
      });
      for (let change = 0; change < 20; change++) {
        await database.onFilesChanged(node.id, ['chunks', 'scavengeState'], true);
      }
      await vi.advanceTimersByTimeAsync(3000);
      expect(inspections()).toBe(1);
      expect(listings()).toBe(2);
      expect(database.chunks?.chunks).toHaveLength(chunksReport.chunks.length - 1);
      expect(database.version).toBe(version + 1);
    } finally {
      vi.useRealTimers();
    }
  });
});
