/** The German texts of `../erasure.ts`, which says what each is for. */
import type { erasureTexts as english } from '../erasure.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

export const erasureTexts = {
  erasure: {
    title: 'Löschnachweis',
    intro:
      'Findet jede Spur von Streams, Kategorien oder Events: liest jedes Byte der Datenbank, der Kopien daneben und ihrer Backups und ändert nichts. Vor einer Löschung zeigt er alle Stellen, nach dem Aufräumen dient er als Nachweis.',
    streams: 'Streams',
    streamsHint: 'einer je Zeile',
    categories: 'Kategorien',
    categoriesHint: 'order: alle Streams order-…; mehrere durch Leerzeichen getrennt',
    events: 'Event-IDs',
    eventsHint: 'mehrere durch Leerzeichen getrennt',
    run: 'Prüfen',
    again: 'Erneut prüfen',
    compare: 'Erneut prüfen und vergleichen',
    earlier: {
      label: 'Mit gespeichertem Bericht vergleichen',
      choose: 'Bericht wählen…',
      hint: 'Das JSON eines früheren Berichts. Geprüft wird mit den Namen oben.',
      wrong: 'Diese Datei ist kein Löschbericht. Das JSON wählen, das „Speichern“ geschrieben hat.'
    },
    backups: (target: string) => `Mit den Backups in ${target}.`,
    noBackups: 'Dieser Node hat kein Backup-Ziel in einem Verzeichnis, daher werden keine Backups geprüft.',
    chooseBackups: 'Ziel unter Backups wählen',
    none: 'Hier stehen die Stellen, jede mit ihrer Abhilfe.',
    erased: 'Nichts ist übrig.',
    erasedHere: 'Nichts wurde gefunden, aber nicht alles ließ sich prüfen.',
    namesLeft: 'Keine Daten sind übrig, wohl aber Namen oder Verweise.',
    left: 'Daten sind übrig.',
    examined: (files: string, bytes: string) => `${files} untersucht, ${bytes}.`,
    print: 'Drucken…',
    savePage: 'Als HTML speichern…',
    saveJson: 'Als JSON speichern…',
    saved: (file: string) => `Gespeichert als ${file}.`,
    asked: { stream: 'Stream', category: 'Kategorie', event: 'Event' },
    states: {
      erased: 'gelöscht',
      data: 'Daten gelöscht, Name übrig',
      left: 'nicht gelöscht',
      open: 'nichts gefunden'
    },
    columns: {
      place: 'Stelle',
      what: 'Was',
      file: 'Datei',
      count: 'Anzahl',
      first: 'Zuerst bei',
      remedy: 'Abhilfe'
    },
    kinds: {
      log: 'Log',
      index: 'Index',
      scavengeState: 'Scavenge-State',
      backup: 'Backup',
      supersededChunk: 'älterer Chunk',
      temporaryFile: 'temporäre Datei',
      slack: 'hinter dem Ende des Logs',
      other: 'andere Datei'
    },
    what: {
      event: 'Events mit ihren Daten',
      redacted: 'geschwärzte Events, Daten überschrieben',
      tombstone: 'Tombstone, der Name',
      metadata: 'Metadaten, der Name',
      link: 'Links auf seine Events',
      mention: 'Erwähnungen anderswo',
      indexEntry: 'Indexeinträge, der Hash',
      name: 'der Name',
      bytes: 'Bytes außerhalb von Records'
    },
    placesOf: (name: string) => `Stellen von ${name}`,
    names: (count: string) => `${count} gefunden`,
    notExamined: 'Nicht untersucht',
    notExaminedHint: 'Solange hier etwas steht, beweist der Bericht nichts.',
    notes: 'Was dieser Bericht nicht wissen kann',
    files: (count: string) => `${count} mit SHA-256`,
    since: (time: string) => `Seit dem Bericht von ${time}`,
    unchanged: (files: string) => `${files} unverändert.`,
    changes: { changed: 'geändert', gone: 'entfernt', new: 'neu' }
  },
  redaction: {
    title: 'Schwärzung',
    intro:
      'Überschreibt die Daten dieser Events in den Chunk-Dateien; die Events bleiben, für Leser mit leeren Daten. Stream, Typ, ID und Metadaten bleiben unberührt, Backups werden nicht erreicht.',
    plan: (events: string) => `${events} schwärzen`,
    planTitle: 'Plan der Schwärzung',
    overwritten: 'Überschrieben',
    of: (records: string, bytes: string) => `Daten: ${records}, ${bytes}`,
    chunks: 'Neu geschrieben',
    removed: 'Ebenfalls entfernt',
    space: 'Platzbedarf währenddessen',
    free: (bytes: string) => `${bytes} frei`,
    refused: 'Verweigert',
    notFound: 'Nicht im Log',
    nothing: 'Es gibt nichts zu überschreiben.',
    dismiss: 'Verwerfen',
    start: 'Endgültig überschreiben',
    confirmTitle: (node: string) => `Events in ${node} schwärzen?`,
    confirm: (records: string) =>
      `Überschrieben werden die Daten: ${records}. Sie können nur aus einem Backup zurückkommen, das sie noch enthält.`,
    done: (records: string) =>
      `Die Daten sind überschrieben: ${records}. Erneut prüfen, wo sie sonst noch stehen.`,
    stopped: 'Die Schwärzung wurde zwischen zwei Chunks angehalten: für den Rest neu planen.',
    chunk: (before: string, after: string) => `aus ${before} wurde ${after}`
  }
} satisfies Translation<typeof english>;
