/**
 * With `acceptLoss` a repair of each damaged golden database ends as its plan said: where the plan leaves nothing,
 * no damage is found afterwards and a server starts; what stays was named before. The chunk being written may lose its
 * header or all of its bytes, also as the only one.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { uncontrolled } from '../../src-core/database/operation-control.ts';
import { examineStart } from '../../src-core/insight/doctor/examine-start.ts';
import { rebuildIndex } from '../../src-core/repair/rebuild-index.ts';
import { runRepair, type RepairOutcome } from '../../src-core/repair/run-repair.ts';
import { NodeFileSystem } from '../../src-core/storage/node-file-system.ts';
import { verifyDatabase } from '../../src-core/verify/verify-database.ts';
import { goldenNames, removeUnpacked, unpackDamaged, unpackDatabase } from '../support/golden.ts';
import { expectTrueChanges } from '../support/told-changes.ts';

const fileSystem = new NodeFileSystem();
const control = uncontrolled();
afterEach(removeUnpacked);

function repair(
  dataDirectory: string,
  change: { dryRun: boolean; acceptLoss?: boolean }
): Promise<RepairOutcome> {
  return runRepair({
    place: { fileSystem, dataDirectory },
    verify: (database) => verifyDatabase({ database, quick: false, control }),
    rebuildIndex: async (place) => {
      await rebuildIndex({ ...place, control, newGuid: randomUUID });
    },
    acceptLoss: true,
    only: [],
    assumeStopped: false,
    stamp: '20261121T050000Z',
    newGuid: randomUUID,
    control,
    ...change
  });
}

async function repairAsPlanned(dataDirectory: string): Promise<RepairOutcome> {
  const plan = await repair(dataDirectory, { dryRun: true });
  const outcome = await repair(dataDirectory, { dryRun: false });
  expectTrueChanges(outcome, dataDirectory);
  expect(outcome.ok).toBe(plan.unrepaired.length === 0);
  expect(outcome.unrepaired.map(({ code, file }) => `${code} ${file}`)).toEqual(
    plan.unrepaired.map(({ code, file }) => `${code} ${file}`)
  );
  if (outcome.ok) {
    const place = { fileSystem, dataDirectory };
    const { prediction } = await examineStart({ place, isThorough: true, control });
    expect(prediction).toMatchObject({ starts: true });
  }
  return outcome;
}

describe('repair --accept-loss', () => {
  it.each(goldenNames().filter((name) => name.startsWith('damaged-')))(
    'ends as planned: %s',
    async (name) => {
      await repairAsPlanned(unpackDamaged(name));
    }
  );

  it.each(['plain', 'fresh', 'epochs'])(
    'brings a chunk being written without its header to a start: %s',
    async (name) => {
      const sound = unpackDatabase({ name, folder: 'after' });
      const last = fs
        .readdirSync(sound)
        .filter((file) => file.startsWith('chunk-'))
        .sort()
        .at(-1)!;
      const file = path.join(sound, last);
      const bytes = fs.readFileSync(file);
      const put = (content: Uint8Array) => {
        fs.chmodSync(file, 0o644);
        fs.writeFileSync(file, content);
      };
      const other = Buffer.from(bytes);
      other[0]! ^= 0xff;
      put(other);
      const { ok, unrepaired } = await repair(sound, { dryRun: false, acceptLoss: false });
      expect({ ok, unrepaired }).toEqual({ ok: true, unrepaired: [] });
      expect(fs.readFileSync(file).equals(bytes)).toBe(true);
      put(bytes.subarray(0, 100));
      expect((await repairAsPlanned(sound)).ok).toBe(true);
    }
  );
});
