/**
 * What later verifications and rehearsals of a backup found: one small file beside the manifest, replaced as a
 * whole. A damaged one is taken for none, because it can be made again by checking again.
 */
import { contentOf, readWholeObject, type BackupTarget } from './backup-target.ts';
import { resultsObject } from './backup-layout.ts';
import { JsonNode, parseJson } from './decode-manifest.ts';
import { requireFault } from '../errors.ts';

export interface CheckResult {
  /** ISO 8601. */
  at: string;
  ok: boolean;
  /** Findings that are damage. */
  damage: number;
}

export interface CheckResults {
  verified: CheckResult | null;
  rehearsed: CheckResult | null;
}

const MAX_RESULTS_BYTES = 64 * 1024;

export async function readCheckResults(target: BackupTarget, id: string): Promise<CheckResults> {
  const object = resultsObject(id);
  try {
    const bytes = await readWholeObject(target, object, MAX_RESULTS_BYTES);
    if (!bytes) return { verified: null, rehearsed: null };
    const origin = { target: target.description, object };
    const root = new JsonNode(parseJson(bytes, origin), '', origin);
    return {
      verified: root.at('verified').orNull(readResult),
      rehearsed: root.at('rehearsed').orNull(readResult)
    };
  } catch (error) {
    requireFault(error, 'LogCorrupt');
    return { verified: null, rehearsed: null };
  }
}

/** Notes one result and keeps the other. */
export async function writeCheckResult(
  target: BackupTarget,
  id: string,
  kind: keyof CheckResults,
  result: CheckResult
): Promise<void> {
  const results = { ...(await readCheckResults(target, id)), [kind]: result };
  const bytes = new TextEncoder().encode(`${JSON.stringify(results)}\n`);
  await target.write(resultsObject(id), contentOf(bytes));
}

function readResult(node: JsonNode): CheckResult {
  return { at: node.at('at').text(), ok: node.at('ok').flag(), damage: node.at('damage').whole() };
}
