/** What people call an operation, in German: for the window and its page, from the English title that every door has. */
import { OPERATION_TITLES, type TitledOperation } from './operation-titles.ts';

const GERMAN: Readonly<Record<TitledOperation, string>> = {
  verifyDatabase: 'Prüfung',
  examineStart: 'Vorhersage des nächsten Starts',
  forecastStartup: 'Schätzung des nächsten Starts',
  prepareStartup: 'Vorbereitung des nächsten Starts',
  surveyUsage: 'Belegung zählen',
  reportErasure: 'Löschnachweis',
  compareChunk: 'Vergleich eines Chunks',
  compareDatabases: 'Vergleich',
  exportDatabase: 'Export von Streams',
  extractEvents: 'Auszug von Events',
  compareThresholds: 'Vergleich der Schwellen',
  explain: 'Erklärung',
  planScavenge: 'Plan eines Scavenge',
  planCluster: 'Plan der Nächte eines Clusters',
  runScavenge: 'Scavenge',
  planUndoScavenge: 'Plan der Rücknahme eines Scavenge',
  undoScavenge: 'Rücknahme eines Scavenge',
  forgetReplaced: 'Ersetztes eines Scavenge entfernen',
  planRedaction: 'Plan einer Schwärzung',
  redactEvents: 'Schwärzung von Events',
  planRescue: 'Plan einer Rettung',
  runRescue: 'Rettung',
  writeClusterPoint: 'Scavenge Point schreiben',
  writeSample: 'Beispieldatenbank anlegen',
  planBundle: 'Plan eines Support-Pakets',
  runBundle: 'Support-Paket erstellen',
  planUnpackBundle: 'Blick in ein gepacktes Paket',
  unpackBundle: 'Paket entpacken',
  planBackup: 'Plan eines Backups',
  createBackup: 'Backup',
  makeBackupKey: 'Schlüsseldatei erzeugen',
  sealBackupKey: 'Schlüssel für Backups erzeugen',
  adoptBackup: 'Backup übernehmen',
  verifyBackup: 'Prüfung eines Backups',
  verifyAllBackups: 'Prüfung aller Backups',
  rehearseBackup: 'Probe eines Backups',
  pruneBackups: 'Ausdünnen der Backups',
  planBackupErasure: 'Plan einer Löschung in einem Backup',
  eraseInBackup: 'Löschung in einem Backup',
  rekeyBackups: 'Umschlüsselung der Backups',
  planRestore: 'Plan einer Wiederherstellung',
  runRestore: 'Wiederherstellung',
  continueRestore: 'Abschluss der Wiederherstellung',
  undoRestore: 'Rücknahme der Wiederherstellung',
  cutLog: 'Kürzung des Logs',
  planIndexRebuild: 'Plan eines Neuaufbaus des Index',
  rebuildIndex: 'Neuaufbau des Index',
  repairDatabase: 'Reparatur',
  scavengeCluster: 'Scavenge eines Clusters',
  resignLeader: 'Leader um Rücktritt bitten',
  requestPause: 'Pause anfordern',
  pauseSchedule: 'Zeitplan pausieren',
  resumeSchedule: 'Zeitplan fortsetzen',
  skipCycle: 'Nächsten Zyklus überspringen',
  configureSchedule: 'Zeitplan setzen'
};

/** English titles with the word before the node, the longest first: `Verify a backup of` before `Verify`. */
const KNOWN = Object.entries(OPERATION_TITLES)
  .map(([name, { title, before }]) => ({
    english: title,
    before: before === null ? '' : ` ${before}`,
    german: GERMAN[name as TitledOperation]
  }))
  .sort((a, b) => b.english.length - a.english.length);

const PLAN = 'Plan: ';

/** "Plan: Restore orders" as "Plan: Wiederherstellung, orders"; a title that is not known stays as it is. */
export function titleInGerman(title: string): string {
  const isPlan = title.startsWith(PLAN);
  const own = isPlan ? title.slice(PLAN.length) : title;
  for (const { english, before, german } of KNOWN) {
    const words = own === english ? german : withNode(own, `${english}${before} `, german);
    if (words !== undefined) return `${isPlan ? PLAN : ''}${words}`;
  }
  return title;
}

function withNode(title: string, start: string, german: string): string | undefined {
  return title.startsWith(start) ? `${german}, ${title.slice(start.length)}` : undefined;
}
