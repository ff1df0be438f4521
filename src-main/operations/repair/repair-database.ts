/** Repairs a stopped database: verifies, acts on what can be derived or taken from a backup, and verifies again. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { checkOfVerification, rebuildIndex, runRepair } from '../../../src-core/index.ts';
import { withDatabase } from '../database/database-access.ts';
import { directoryIdentity, keepCheck } from '../doctor/kept-health.ts';
import { timeOf, type OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import { planIdOf, requirePlan, type PlanParts } from '../plan/plan-identity.ts';
import { expireReplaced } from '../scavenge/expire-replaced.ts';
import { databaseState, donorState } from '../plan/plan-state.ts';
import { keepVerification, knownVerification } from './last-verification.ts';
import { refuseOtherHistory, withDonor } from './repair-donor.ts';
import type { RepairReport } from '../../contract/operations/repair-reports.ts';
import { isSeenWithoutReading, verifyForRepair, verifyFormForRepair } from './repair-verification.ts';

export async function repairDatabase(
  request: CheckedRequestOf<'repairDatabase'>,
  context: OperationContext
): Promise<RepairReport> {
  const { fileSystem, control } = context;
  const { dryRun, only, acceptLoss, assumeStopped } = request;
  const dataDirectory = path.resolve(request.dataDirectory);
  const location = {
    dataDirectory,
    indexDirectory: path.resolve(request.indexDirectory ?? path.join(dataDirectory, 'index'))
  };
  if (!dryRun) expireReplaced(request, context);
  return withDonor(request.fromBackup, context, async (open) => {
    const identify = (): PlanParts => ({
      operation: 'repairDatabase',
      request,
      state: [...databaseState(fileSystem, location), ...(open ? [donorState(fileSystem, open)] : [])]
    });
    const planned = dryRun ? planIdOf(identify(), timeOf(context)) : undefined;
    if (open?.manifest) {
      const { manifest } = open;
      await withDatabase(location, context, (database) => refuseOtherHistory(manifest, database));
    }
    // The identity of the files that the last verification checked.
    let directory = '';
    /** What a plan goes by instead of reading everything. */
    let basis: { verifiedAt: string } | { isQuick: true } | undefined;
    const place = { ...location, winnowHome: request.winnowHome };
    const outcome = await runRepair({
      place: { fileSystem, ...location },
      verify: async (database) => {
        directory = directoryIdentity(fileSystem, location);
        const known = dryRun ? knownVerification(place, directory) : undefined;
        if (known) {
          basis = { verifiedAt: known.verifiedAt };
          return known;
        }
        if (dryRun && isSeenWithoutReading(only)) {
          basis = { isQuick: true };
          return verifyFormForRepair(database, place, context);
        }
        const verification = await verifyForRepair(database, location, context);
        keepVerification(place, directory, verification, context);
        return verification;
      },
      rebuildIndex: async (place) => {
        await rebuildIndex({ ...place, assumeStopped, control, newGuid: randomUUID });
      },
      donor: open?.donor,
      acceptLoss,
      only,
      dryRun,
      assumeStopped,
      underLock: () => requirePlan(request.plan, identify),
      stamp: `${timeOf(context).slice(0, 19).replaceAll(/[-:]/g, '')}Z`,
      newGuid: randomUUID,
      control
    });
    if (basis === undefined) {
      const check = checkOfVerification({ findings: outcome.findings, isQuick: false }, timeOf(context));
      keepCheck(check, { place, directory }, context);
    }
    return { dryRun, ...outcome, ...basis, ...(planned === undefined ? {} : { planId: planned }) };
  });
}
