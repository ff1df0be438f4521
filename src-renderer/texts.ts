/**
 * Every text of the window, in one place. Sentence case, the field's own terms, numbers with units; no
 * exclamation marks. Values come in formatted: nothing here rounds.
 */
import { aboutTexts } from './texts/about.ts';
import { activityTexts } from './texts/activity.ts';
import { backupErasureTexts } from './texts/backup-erasure.ts';
import { backupsTexts } from './texts/backups.ts';
import { clustersTexts } from './texts/clusters.ts';
import { compareTexts } from './texts/compare.ts';
import { databaseTexts } from './texts/database.ts';
import { explainTexts } from './texts/explain.ts';
import { startupTexts } from './texts/startup.ts';
import { doctorTexts } from './texts/doctor.ts';
import { documentationTexts } from './texts/documentation.ts';
import { erasureTexts } from './texts/erasure.ts';
import { extractTexts } from './texts/extract.ts';
import { fleetTexts } from './texts/fleet.ts';
import { foldersTexts } from './texts/folders.ts';
import { frameTexts } from './texts/frame.ts';
import { healthTexts } from './texts/health.ts';
import { logInTexts } from './texts/log-in.ts';
import { recordsTexts } from './texts/records.ts';
import { rescueTexts } from './texts/rescue.ts';
import { restoreTexts } from './texts/restore.ts';
import { repairTexts } from './texts/repair.ts';
import { operationsTexts } from './texts/operations.ts';
import { scavengeFlowTexts } from './texts/scavenge-flow.ts';
import { scheduleTexts } from './texts/schedule.ts';
import { settingsTexts } from './texts/settings.ts';
import { tableTexts } from './texts/table.ts';
import { undoTexts } from './texts/undo.ts';
import { usageTexts } from './texts/usage.ts';

export const texts = {
  ...frameTexts,
  ...tableTexts,
  ...healthTexts,
  ...databaseTexts,
  ...recordsTexts,
  ...explainTexts,
  ...doctorTexts,
  ...startupTexts,
  ...operationsTexts,
  ...scavengeFlowTexts,
  ...backupsTexts,
  ...backupErasureTexts,
  ...restoreTexts,
  ...repairTexts,
  ...rescueTexts,
  ...compareTexts,
  ...erasureTexts,
  ...undoTexts,
  ...usageTexts,
  ...clustersTexts,
  ...scheduleTexts,
  ...settingsTexts,
  ...activityTexts,
  ...aboutTexts,
  ...documentationTexts,
  ...extractTexts,
  ...fleetTexts,
  ...foldersTexts,
  ...logInTexts
};
