/** The German texts of `../compare.ts`, which says what each is for. */
import type { compareTexts as english } from '../compare.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

export const compareTexts = {
  compare: {
    title: 'Gleiches Log?',
    intro:
      'Vergleicht die Logs Record für Record, gleich was durch Scavenges entfernt oder zusammengeführt wurde, und ändert nichts. Was nur eine Seite hat, wird durch die Regel erklärt, die es auf der anderen entfernt hat, sofern es eine gibt.',
    with: 'Vergleichen mit',
    backup: (target: string) => `Das neueste Backup in ${target}`,
    chosen: (place: string) => `Das Verzeichnis oder Backup ${place}`,
    choose: 'Verzeichnis oder Backup wählen…',
    readAll: 'Auch Dateien lesen, deren gespeicherte Hashes gleich sind',
    readAllHint: 'Sonst gelten Dateien beider Seiten, die mit demselben Hash enden, als gleich.',
    button: 'Vergleichen',
    again: 'Noch einmal vergleichen',
    alone:
      'Dieser Node ist der einzige in der Liste. Einen weiteren öffnen, oder ein Verzeichnis oder Backup wählen.',
    members: 'Gleiches Log bei allen Mitgliedern?',
    membersIntro: (first: string) =>
      `Vergleicht jedes andere Mitglied mit ${first}, Record für Record, gleich was dort durch Scavenges entfernt oder zusammengeführt wurde. Vor und nach einer Wartung ausführen.`,
    allMembers: 'Alle Mitglieder vergleichen',
    unopened: (names: string) => `Nicht verglichen, weil nicht in der Liste der Nodes: ${names}.`,
    remote:
      'Die Logs dieser Nodes lassen sich von hier nicht vergleichen: Ihre Dateien liegen nicht auf diesem Rechner. Dort vergleichen, wo sie liegen, oder ihre Backups vergleichen.',
    tooFew: 'Ein Vergleich braucht zwei Mitglieder, deren Verzeichnisse in der Liste der Nodes stehen.',
    results: 'Verglichene Logs',
    columns: {
      side: 'Verglichen mit',
      verdict: 'Ergebnis',
      equal: 'Gleich, gelesen',
      explained: 'Nach Regel entfernt',
      open: 'Nicht in Ordnung',
      behind: 'Rückstand'
    },
    verdicts: {
      equal: 'gleiches Log',
      explained: 'gleiches Log, anderer Scavenge-Stand',
      behind: 'gleiches Log, eines im Rückstand',
      notKnown: 'nicht bekannt',
      differs: 'verschieden'
    },
    first: (name: string) => `Jedes wurde mit ${name} verglichen.`,
    trusted: (files: string, bytes: string, proved: string) =>
      `${files} auf beiden Seiten (${bytes}) nicht gelesen: Die gespeicherten Hashes sind gleich. Auf beiden Seiten geprüft: ${proved}.`,
    epochs: (number: string) => `Zwei Verläufe: Epoch ${number} ist nicht auf beiden Seiten dieselbe.`,
    hash: (file: string, side: string) => `${file} von ${side} hat noch den Hash, mit dem die Datei endet.`,
    hashLost: (file: string, side: string) =>
      `${file} von ${side} hat nicht mehr den Hash, mit dem die Datei endet: Sie ist beschädigt.`,
    rules: (side: string) => `Nur in ${side}, auf der anderen Seite nach Regel entfernt`,
    ranges: 'Bereiche des Logs',
    rangeColumns: {
      from: 'Von',
      to: 'Bis',
      verdict: 'Ergebnis',
      how: 'Verglichen',
      equal: 'Gleiche Records',
      what: 'Unterschied'
    },
    how: {
      hash: 'nach gespeichertem Hash, nicht gelesen',
      bytes: 'Byte für Byte',
      records: 'Record für Record',
      none: ''
    },
    rangeVerdicts: {
      equal: 'gleich',
      explained: 'erklärt',
      behind: 'im Rückstand',
      notKnown: 'nicht bekannt',
      differs: 'verschieden'
    },
    parts: {
      differing: (records: string) => `andere Bytes: ${records}`,
      unreadable: (places: string) => `${places} unlesbar`,
      only: (records: string, side: string, why: string) => `${records} nur in ${side}, ${why}`,
      lag: (bytes: string) => `${bytes} nur auf einer Seite`,
      byRule: 'nach Regel',
      byNoRule: 'nach keiner Regel',
      notKnown: 'Grund nicht bekannt'
    },
    places: (shown: string, all: string) => `Was nicht in Ordnung ist: die ersten ${shown} von ${all}`,
    placeColumns: { position: 'Position', side: 'Seite', record: 'Record', because: 'Was gefunden wurde' },
    both: 'beide',
    foundAt: (side: string, file: string, offset: string, length: string, time: string) =>
      `In ${side}: ${file}, Offset ${offset}, ${length}, geschrieben ${time}.`,
    bytes: (count: string, first: string, last: string) =>
      `Verschieden: ${count}, zwischen Byte ${first} und Byte ${last} des Records.`,
    record: (number: string, stream: string, type: string) => `${number} von ${stream}, ${type}`,
    unreadableRecord: 'kein Record'
  }
} satisfies Translation<typeof english>;
