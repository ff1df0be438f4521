/** Compares one backup of a target, or all of them, with their manifests and stores the results beside them. */
import {
  chooseBackup,
  describeSignature,
  isManifestSealed,
  readCatalogue,
  registerFaults,
  ticksFromMs,
  ticksToIso,
  verifyBackup as verifyCoreBackup,
  type Manifest
} from '../../../src-core/index.ts';
import type { OpenTarget } from '../../backup/open-target.ts';
import type { BackupVerifyAllReport, BackupVerifyReport } from '../../contract/operations/backup-reports.ts';
import { keepCheckResult } from './keep-check-result.ts';
import { withTarget } from './backup-target-access.ts';
import type { OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';

export async function verifyBackup(
  request: CheckedRequestOf<'verifyBackup'>,
  context: OperationContext
): Promise<BackupVerifyReport> {
  return withTarget({ ...request, mustExist: true }, context, async (open) =>
    verifyOne(await chooseBackup(open.target, request.id), open, request.quick, context)
  );
}

/** The backups in order; one with a damaged manifest is a finding of its own. */
export async function verifyAllBackups(
  request: CheckedRequestOf<'verifyAllBackups'>,
  context: OperationContext
): Promise<BackupVerifyAllReport> {
  return withTarget({ ...request, mustExist: true }, context, async (open) => {
    const catalogue = await readCatalogue(open.target);
    const report: BackupVerifyAllReport = {
      target: open.target.description,
      findings: [],
      checked: { files: 0, bytes: 0, records: 0, indexEntries: 0 },
      notChecked: [],
      ok: true,
      backups: [],
      unfinished: catalogue.unfinished.map(({ id }) => id)
    };
    for (const { id, error } of catalogue.damaged) {
      const { message, remedy } = error;
      const place = { file: `${id}/manifest.json`, offset: null, position: null, command: null };
      report.findings.push({
        severity: 'damage',
        code: String(error.details['reason'] ?? 'manifestDamaged'),
        ...place,
        message,
        remedy,
        backup: id
      });
      report.backups.push({ backup: id, ok: false, damage: 1 });
    }
    for (const manifest of catalogue.backups) {
      const { backup, findings, checked, notChecked, ok, signature } = await verifyOne(
        manifest,
        open,
        request.quick,
        context
      );
      report.findings.push(...findings.map((finding) => ({ ...finding, backup })));
      report.checked.files += checked.files;
      report.checked.bytes += checked.bytes;
      report.notChecked.push(...notChecked.filter((place) => !report.notChecked.includes(place)));
      report.backups.push({ backup, ok, damage: damageOf(findings), ...(signature ? { signature } : {}) });
    }
    const proved = catalogue.backups.map(({ id }) => id);
    for (const { code, file, message, remedy } of await registerFaults(open.target, proved)) {
      // Named above already: it is there, and its manifest or its signature is at fault.
      if (catalogue.damaged.some(({ id }) => id === file)) continue;
      const place = { file, offset: null, position: null, command: null };
      report.findings.push({ severity: 'damage', code, ...place, message, remedy, backup: file });
      report.backups.push({ backup: file, ok: false, damage: 1 });
    }
    report.ok = report.backups.every(({ ok }) => ok);
    return report;
  });
}

async function verifyOne(
  manifest: Manifest,
  { target, decode, lacksKey }: OpenTarget,
  isQuick: boolean,
  context: OperationContext
): Promise<BackupVerifyReport> {
  const { findings, checkedFiles, checkedBytes, notChecked } = await verifyCoreBackup({
    manifest,
    target,
    decode,
    lacksKey,
    control: context.control,
    isQuick
  });
  const damage = damageOf(findings);
  const ok = damage === 0;
  // A quick check without findings proves too little to be stored as a verification.
  if (!isQuick || !ok) {
    const at = ticksToIso(ticksFromMs(context.clock()));
    await keepCheckResult({ target, id: manifest.id, kind: 'verified' }, { at, ok, damage }, context);
  }
  const checked = { files: checkedFiles, bytes: checkedBytes, records: 0, indexEntries: 0 };
  const signature = await describeSignature(target, manifest.id);
  if (!(await isManifestSealed(target, manifest.id)))
    notChecked.push('the manifest itself: the version that wrote it kept no hash of it');
  if (signature?.state === 'claimed') notChecked.push('the signature: no verify key was given');
  return { backup: manifest.id, findings, checked, notChecked, ok, ...(signature ? { signature } : {}) };
}

function damageOf(findings: readonly { severity: string }[]): number {
  return findings.filter(({ severity }) => severity === 'damage').length;
}
