/** The German texts of `../activity.ts`, which says what each is for. */
import { titleInGerman } from '../../../src-main/contract/operations/german-titles.ts';
import type { activityTexts as english } from '../activity.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

export const activityTexts = {
  activity: {
    title: 'Aktivitäten',
    titled: titleInGerman,
    intro:
      'Vorgänge, die auf diesem Rechner im Fenster, auf der Kommandozeile und über HTTP angefordert wurden, ohne Events und Nutzdaten.',
    table: 'Vorgänge',
    search: 'Vorgang, Node oder Ergebnis suchen',
    onlyNode: (name: string) => `Nur ${name}`,
    count: (shown: string, all: string) => `${shown} von ${all}`,
    none: 'Noch keine Vorgänge. Hier steht jeder Plan, jeder Scavenge, jede Prüfung, jedes Backup, jede Wiederherstellung und jede Reparatur.',
    noneFound: 'Keine Treffer.',
    columns: {
      when: 'Begonnen',
      what: 'Vorgang',
      where: 'Node',
      door: 'Über',
      outcome: 'Ergebnis',
      took: 'Dauer'
    },
    doors: {
      window: 'Fenster',
      browser: 'Browser',
      commandLine: 'Kommandozeile',
      http: 'HTTP',
      schedule: 'Zeitplan'
    },
    outcomes: {
      running: 'läuft',
      done: 'fertig',
      stopped: 'angehalten',
      failed: 'fehlgeschlagen',
      interrupted: 'abgebrochen'
    },
    verdicts: {
      damage: 'Schäden gefunden',
      willNotStart: 'startet nicht',
      deletesLog: 'löscht Log',
      errored: 'mit Fehlern'
    },
    members: {
      ok: 'OK',
      dryRun: 'Nur Plan',
      planId: 'Plan',
      plan: 'Angeforderter Plan',
      scavengeId: 'Scavenge-ID',
      merge: 'Chunks zusammenführen',
      singleNode: 'Einzelner Node',
      syncOnly: 'Nur unvollständige',
      indexDirectory: 'Indexverzeichnis',
      throttlePercent: 'Tempo (%)',
      threads: 'Threads',
      threshold: 'Schwelle',
      scavengePoint: 'Scavenge Point',
      findings: 'Befunde',
      'findings.count': 'Befunde',
      bytes: 'Größe',
      files: 'Dateien',
      chunks: 'Chunks',
      records: 'Records',
      events: 'Events',
      streams: 'Streams',
      quick: 'Schnell',
      thorough: 'Gründlich',
      compress: 'Komprimiert',
      mode: 'Art',
      result: 'Ergebnis',
      recordsDiscarded: 'Entfernte Records',
      bytesRemoved: 'Entfernte Bytes',
      bytesFreed: 'Freigegeben',
      position: 'Position',
      timeZone: 'Zeitzone',
      expression: 'CRON-Ausdruck',
      damage: 'Schäden',
      warnings: 'Warnungen',
      version: 'Version'
    },
    noValue: 'keine Angabe',
    yes: 'ja',
    no: 'nein',
    interrupted:
      'Der Prozess endete ohne ein Ergebnis. Was er geschrieben hat, ist vollständig oder wird beim nächsten Öffnen der Datenbank entfernt.',
    started: 'Begonnen',
    ended: 'Beendet',
    took: 'Dauer',
    by: 'Über',
    of: 'Verzeichnis',
    target: 'Backups',
    machine: 'Rechner',
    version: 'Version',
    options: 'Anforderung',
    figures: 'Zahlen',
    log: 'Log',
    noLog: 'Kein Log.',
    openReport: 'Bericht öffnen',
    openNode: 'Node öffnen',
    nodeGone: 'Das Verzeichnis steht nicht in der Liste der Nodes.',
    onlyLikeThis: 'Nur Vorgänge dieser Art zeigen',
    copyId: 'ID kopieren',
    copyError: 'Fehler kopieren',
    copy: 'Einzelheiten kopieren',
    copied: 'Kopiert',
    withNames: 'mit Stream-Namen',
    copyHint: 'Für eine Fehlermeldung: ohne Events und Rechnernamen, mit gekürzten Pfaden.',
    select: 'Einen Vorgang auswählen, um Anforderung und Ergebnis zu sehen.'
  }
} satisfies Translation<typeof english>;
