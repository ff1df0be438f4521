/** The German texts of `../fleet.ts`, which says what each is for. */
import type { fleetTexts as english } from '../fleet.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

export const fleetTexts = {
  fleet: {
    title: 'Alle Nodes',
    intro:
      'Jeder Node der Liste und wie er dasteht, ermittelt aus dem, was ohne Lesen eines Logs bekannt ist. Was nur ein Lesen verrät, ist „nicht bekannt“, bis eine Anfrage das Log einmal gelesen hat.',
    again: 'Neu abfragen',
    asking: (done: string, all: string) => `Abfrage: ${done} von ${all}`,
    sum: (nodes: string, look: string) => (look === '' ? nodes : `${nodes}, ${look}`),
    needLook: (count: string, isOne: boolean) => `${count} ${isOne ? 'braucht' : 'brauchen'} Aufmerksamkeit`,
    noneNeedsLook: 'keiner braucht Aufmerksamkeit',
    onlyLook: 'Nur die, die Aufmerksamkeit brauchen',
    table: 'Nodes',
    none: 'Es ist kein Node geöffnet. Ein Datenverzeichnis öffnen, dann steht er hier.',
    noneFound: 'Keiner dieser Nodes braucht Aufmerksamkeit.',
    waiting: '…',
    notKnown: 'nicht bekannt',
    never: 'nie',
    notSoon: 'nicht bald',
    noTarget: 'kein Ziel',
    noBackup: 'keines',
    columns: {
      node: 'Node',
      cluster: 'Cluster',
      health: 'Zustand',
      log: 'Log',
      removable: 'Entfernbar',
      free: 'Frei',
      full: 'Platte voll',
      scavenged: 'Scavenge',
      backup: 'Letztes Backup',
      rehearsed: 'Geprobt',
      verified: 'Geprüft',
      look: 'Hinweise'
    },
    help: {
      removable: 'Was ein Scavenge aller abgeschlossenen Chunks jetzt freigäbe',
      full: 'Ohne Scavenges, wenn das Log weiter so wächst',
      rehearsed: 'Wann die Wiederherstellung des letzten Backups geprobt wurde',
      verified: 'Anteil des Logs, dessen Hashes in den letzten 30 Tagen gelesen wurden'
    },
    notes: {
      unreadable: 'nicht lesbar',
      damaged: 'beschädigt',
      diskFullSoon: 'Platte bald voll',
      neverScavenged: 'nie ein Scavenge',
      noBackup: 'kein Backup',
      backupNotRehearsed: 'Backup nicht geprobt',
      backupFailed: 'Backup fehlgeschlagen',
      notVerified: 'nicht geprüft'
    },
    open: 'Öffnen',
    openUsage: 'Was den Platz belegt',
    openScavenge: 'Scavenge…',
    openBackups: 'Backups',
    openVerify: 'Prüfen und reparieren',
    copyProblem: 'Fehler kopieren',
    clusters: 'Cluster',
    clusterColumns: {
      cluster: 'Cluster',
      kind: 'Mitglieder',
      answer: 'Antwort',
      schedule: 'Zeitplan',
      next: 'Nächster Scavenge'
    },
    clusterKinds: { local: 'Verzeichnisse hier', remote: 'laufende Nodes' },
    answering: (alive: string, all: string) => `${alive} von ${all}`,
    noSchedule: 'keiner',
    allQuiet: 'nie: Ruhezeiten',
    allQuietHint: 'Alle Termine des Zeitplans liegen in Ruhezeiten.'
  }
} satisfies Translation<typeof english>;
