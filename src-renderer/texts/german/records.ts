/** The German texts of `../records.ts`, which says what each is for. */
import { counted } from '../../format/count.ts';
import type { recordsTexts as english } from '../records.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

export const recordsTexts = {
  records: {
    columns: {
      position: 'Position',
      kind: 'Art',
      stream: 'Stream',
      number: 'Nummer',
      type: 'Typ',
      time: (zone: string) => `Zeit (${zone})`,
      size: 'Bytes'
    },
    kinds: { prepare: 'Prepare', commit: 'Commit', system: 'System' },
    notCommitted: 'ohne Commit',
    fieldHelp: {
      Length: 'Bytes des Records, ohne dieses Feld und seine Wiederholung am Ende.',
      'Length, again': 'Noch einmal die Länge; von ihr aus wird das Log rückwärts gelesen.',
      'Record type':
        'prepare: ein Event. commit: macht Events einer Transaktion sichtbar. system: eine Epoch.',
      'Record version': 'In Version 0 haben Event-Nummern vier Bytes, in Version 1 acht.',
      'Log position': 'Wo der Record im Log beginnt. Das bleibt gleich, wenn der Chunk neu geschrieben wird.',
      Flags: 'Was der Record enthält, ob es JSON ist, und seine Rolle in einer Transaktion.',
      'Transaction position':
        'Position des Records, der die Transaktion begann; bei einem einzelnen Event die eigene.',
      'Transaction offset': 'Platz des Events in seiner Transaktion, ab 0 gezählt.',
      'Expected version': 'Ein Record mit eigenem Commit hat die Event-Nummer nach dieser.',
      'First event number': 'Nummer des ersten Events der Transaktion in seinem Stream.',
      'Event id': 'Vom Schreiber vergeben; daran erkennt ein Server wiederholtes Schreiben.',
      'Correlation id': 'Der Anfrage, die den Record geschrieben hat.',
      Time: 'Wann der Server den Record geschrieben hat, auf 100 Nanosekunden.',
      'System record type': 'epoch: Ein Leader beginnt.',
      'Chunk size': 'Bytes des Logs, die ein Chunk abdeckt.',
      'First chunk': 'Eine zusammengeführte Datei enthält mehrere Chunks, ab diesem.',
      'Last chunk': 'Eine zusammengeführte Datei enthält mehrere Chunks, bis zu diesem.',
      Scavenged: 'Ein bereinigter Chunk findet seine Records über eine Positionskarte.',
      'Lowest version a reader must know':
        'Ein Server, der nur ältere Versionen kennt, öffnet die Datei nicht.',
      Version: 'Des Formats der Chunk-Dateien.',
      Transform: 'Wie die Daten gespeichert sind, etwa verschlüsselt.',
      'Physical data size': 'Bytes der Records in dieser Datei.',
      'Logical data size': 'Bytes des Logs, für die sie stehen.',
      'Map size': 'Bytes der Positionskarte, die nur bereinigte Chunks haben.',
      MD5: 'Prüfsumme der Datei.'
    },
    fields: 'Felder',
    data: 'Daten',
    metadata: 'Metadaten',
    notJson: (title: string) => `${title}: kein JSON. Die Bytes stehen unten.`,
    notText: (title: string) => `${title}: kein JSON, nicht einmal Text. Die Bytes stehen unten.`,
    readingWhole: (bytes: string) => `${bytes} werden gelesen…`,
    cut: (shown: string, total: string) => `Zeigt die ersten ${shown} von ${total}.`,
    json: {
      label: 'Daten und Metadaten als JSON',
      menu: 'Aktionen für den Wert',
      search: 'In Namen und Werten suchen',
      previous: 'Voriger Treffer',
      next: 'Nächster Treffer',
      searching: 'wird gesucht…',
      noHit: 'kein Treffer',
      hit: (place: string, of: string) => `${place} von ${of}`,
      copyValue: 'Wert kopieren',
      copyPath: 'Pfad kopieren',
      copyWhole: (title: string) => `${title} ganz kopieren`,
      tooLong: 'Die Zwischenablage fasst 4 Millionen Zeichen.',
      wholeValue: (name: string) => `Ganzer Wert von ${name}`,
      firstOf: (shown: string, of: string) =>
        `Die ersten ${shown} von ${of} Zeichen: „Wert kopieren“ nimmt alle.`,
      foldAll: 'Alles einklappen',
      unfoldAll: 'Alles ausklappen',
      items: (count: string) => `[${count}]`,
      members: (count: string) => `{${count}}`,
      notJson: (title: string, characters: number) =>
        `${title}: kein JSON (${counted(characters, 'Zeichen', 'Zeichen')}).`,
      tooManyLines: (title: string) =>
        `${title}: JSON mit mehr Werten, als ein Baum zeigen kann. Die Bytes stehen unten.`
    },
    mark: {
      title: 'Scavenge',
      help: 'Ob der nächste Scavenge den Record behält. Zeilenmenü und Einzelheiten sagen, warum.',
      keep: 'bleibt',
      discard: 'entfernbar',
      unknown: 'nicht bekannt',
      whyUnknown: 'Nicht bekannt, bevor die Gewichte der Chunks berechnet sind, oder ohne Scavenge Point.',
      until: (rule: string, time: string) => `${rule}, bis ${time}`
    },
    none: 'Einen Record auswählen, um sein JSON, seine Felder und seine Bytes zu sehen.',
    empty: 'Hier sind keine Records.',
    onlyStream: 'Nur Records dieses Streams',
    copyPosition: 'Position kopieren',
    hex: 'Bytes des Records',
    hexGrid: 'Bytes',
    legend: 'Farben der Felder',
    offsets: 'Offsets',
    base: { decimal: 'Dez', hexadecimal: 'Hex' },
    offsetsIn: { decimal: 'Offsets dezimal', hexadecimal: 'Offsets hexadezimal' },
    meaning: {
      length: 'Längen',
      number: 'Zahlen',
      name: 'Namen',
      id: 'IDs',
      time: 'Zeit',
      data: 'Daten',
      metadata: 'Metadaten'
    },
    ofLog: 'Records des Logs',
    filter: 'Record-Filter',
    filterHint: 'stream:order-* type:Created kind:prepare after:2026-01-01 pos>4096',
    completions: 'Vorschläge',
    keyHelp: {
      'stream:': 'Name des Streams, * für Beliebiges',
      'type:': 'Event-Typ, * für Beliebiges',
      'kind:': 'prepare, commit oder system',
      'flag:': 'ein Flag des Records',
      'after:': 'ab diesem Tag oder dieser Zeit, UTC',
      'before:': 'vor diesem Tag oder dieser Zeit, UTC',
      'pos>': 'nach dieser Log-Position',
      'pos<': 'vor dieser Log-Position',
      'number:': 'Event-Nummer; auch number>5',
      'size>': 'Bytes mit beiden Längenfeldern; auch 1k, 2M',
      'id:': 'Event-ID'
    },
    searching: (share: string) => `wird gesucht, ${share} gelesen`,
    stoppedAt: (share: string) => `${share} gelesen`,
    continueSearch: 'Suche fortsetzen',
    soFar: (count: string) => `bisher ${count}`,
    noMatch: 'Kein Record passt auf den Filter.',
    copyJson: 'Als JSON kopieren',
    goTo: 'Gehe zu Position',
    noPosition: 'Eine Position ist eine ganze Zahl.'
  }
} satisfies Translation<typeof english>;
