/** The German catalogue, of the type of the English one: loaded only where it is wanted. */
import type { Catalogue } from '../../texts.ts';
import { connectionTexts } from './connection.ts';
import { controlsTexts } from './controls.ts';
import { cronTexts } from './cron.ts';
import { languageTexts } from './language.ts';
import { nounsTexts } from './nouns.ts';
import { timesTexts } from './times.ts';
import { aboutTexts } from './about.ts';
import { activityTexts } from './activity.ts';
import { backupErasureTexts } from './backup-erasure.ts';
import { backupRekeyTexts } from './backup-rekey.ts';
import { backupsTexts } from './backups.ts';
import { clustersTexts } from './clusters.ts';
import { compareTexts } from './compare.ts';
import { databaseTexts } from './database.ts';
import { explainTexts } from './explain.ts';
import { startupTexts } from './startup.ts';
import { doctorTexts } from './doctor.ts';
import { documentationTexts } from './documentation.ts';
import { erasureTexts } from './erasure.ts';
import { extractTexts } from './extract.ts';
import { fleetTexts } from './fleet.ts';
import { foldersTexts } from './folders.ts';
import { frameTexts } from './frame.ts';
import { healthTexts } from './health.ts';
import { logInTexts } from './log-in.ts';
import { recordsTexts } from './records.ts';
import { rescueTexts } from './rescue.ts';
import { restoreTexts } from './restore.ts';
import { repairTexts } from './repair.ts';
import { operationsTexts } from './operations.ts';
import { scavengeFlowTexts } from './scavenge-flow.ts';
import { scheduleTexts } from './schedule.ts';
import { settingsTexts } from './settings.ts';
import { tableTexts } from './table.ts';
import { undoTexts } from './undo.ts';
import { usageTexts } from './usage.ts';

export const german = {
  ...languageTexts,
  ...nounsTexts,
  ...timesTexts,
  ...cronTexts,
  ...controlsTexts,
  ...connectionTexts,
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
  ...backupRekeyTexts,
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
} satisfies Catalogue;
