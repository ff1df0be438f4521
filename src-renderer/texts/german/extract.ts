/** The German texts of `../extract.ts`, which says what each is for. */
import type { extractTexts as english } from '../extract.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

export const extractTexts = {
  extract: {
    title: 'Auszug und Weitergabe',
    output: 'Ordner',
    noOutput: 'keiner gewählt',
    choose: 'Ordner wählen…',
    chooseFirst: 'Erst einen Ordner wählen: Darin entsteht eine neue Datei, und nichts dort wird ersetzt.',
    stopped: 'Angehalten. Dieselbe Anforderung setzt mit dem Geschriebenen fort.',
    source: {
      label: 'Quelle',
      hint: 'Für Events und Streams; ein Support-Paket wird immer vom Node erstellt.',
      node: (name: string) => `Dieser Node, ${name}`,
      backup: (when: string, kind: string) => `Backup vom ${when}, ${kind}`,
      newestIn: (path: string) => `Das neueste Backup in ${path}`,
      choose: 'Verzeichnis oder Backup wählen…',
      noList: (why: string) => `Die Backups ließen sich nicht auflisten: ${why}`
    },
    streams: {
      title: 'Streams exportieren',
      intro:
        'Erzeugt eine neue Datenbank nur mit diesen Streams, mit ihren Nummern, Metadaten und Tombstones: Ein Server öffnet sie. Die Log-Positionen sind neu. Die Quelle wird nur gelesen.',
      streamsHint: 'Ein Name je Zeile.',
      startAfresh: 'Neu beginnen',
      startAfreshHint: 'Verwirft einen unvollständigen Export in diesem Ordner, statt ihn fortzusetzen.',
      plan: 'Export planen',
      planTitle: 'Plan des Exports',
      reads: 'Liest',
      readsOf: (bytes: string, end: string) => `${bytes} aus Chunk-Dateien, bis Position ${end}`,
      continues: 'Setzt fort bei',
      source: 'Aus',
      start: 'Neue Datenbank erzeugen',
      dismiss: 'Verwerfen',
      done: (events: string) => `Die neue Datenbank enthält ${events}; das ganze Log war lesbar.`,
      directory: 'Neue Datenbank',
      records: 'Events',
      recordsOf: (bytes: string) => `${bytes} an Records`,
      written: 'Geschrieben',
      writtenOf: (chunks: string, end: string, entries: string) =>
        `${chunks}, Log bis ${end}, ${entries} im Index`,
      links: 'Links',
      linksOf: (links: string, dangling: string) => `${links}; auf nicht gewählte Streams: ${dangling}`
    },
    events: {
      title: 'Events extrahieren',
      intro:
        'Schreibt Events als Zeilen: alles, was im Log liegt, gleich was Aufbewahrungsregeln verbergen würden, auch hinter Schäden. Die Datenbank wird nur gelesen.',
      streams: 'Streams',
      streamsHint: 'Ein Name je Zeile; leer: alle.',
      categories: 'Kategorien',
      categoriesHint: 'Was vor dem ersten Bindestrich steht; eine je Zeile.',
      types: 'Event-Typen',
      typesHint: 'Einer je Zeile; leer: alle.',
      from: 'Von',
      fromHint: 'Der erste Zeitpunkt (UTC); leer: der Anfang.',
      to: 'Bis',
      toHint: 'Der Zeitpunkt nach dem letzten (UTC); leer: das Ende.',
      format: 'Format',
      formats: {
        jsonl: { name: 'JSON Lines', hint: 'Ein Objekt je Zeile, JSON-Daten als JSON.' },
        csv: { name: 'CSV', hint: 'Für Tabellenkalkulationen.' },
        parquet: { name: 'Parquet', hint: 'Für Auswertungen; klein und spaltenweise lesbar.' }
      },
      system: 'Auch Streams des Systems',
      systemHint: 'Die mit $ beginnen, wo kein Stream genannt ist.',
      check: 'Nachzählen',
      checkHint: 'Liest Chunks dafür ein zweites Mal, wo ihre Events nicht bekannt sind.',
      done: (events: string) => `${events} extrahiert; das angeforderte Log war ganz lesbar.`,
      button: 'Extrahieren',
      file: 'Datei',
      count: 'Events',
      size: 'Größe',
      checked: 'Nachgezählt',
      unreadable: 'Nicht gelesen',
      unreadableOf: (places: string, bytes: string) => `${places}, ${bytes}`,
      ranges: 'Was nicht lesbar war',
      rangeColumns: { file: 'Datei', from: 'Von', to: 'Bis', why: 'Grund' }
    },
    bundle: {
      title: 'Support-Paket',
      intro:
        'Erzeugt eine Datenbank derselben Form für alle, die helfen sollen: dieselben Größen, Positionen, Regeln und derselbe Index; Namen sind andere, Nutzdaten fehlen. Pläne, Belegung und Startprüfung ergeben dasselbe wie bei diesem Node.',
      tells:
        'Es verrät noch, wie lang Namen sind, ihre Satzzeichen, wie oft jeder vorkommt und wann. Der Schlüssel daneben macht die Namen wieder lesbar: aufbewahren, nicht mitschicken.',
      headersOnly: 'Nur Header',
      headersOnlyHint: 'Nutzdaten sind durchweg Nullen und brauchen kaum Platz.',
      packs: 'Auch als eine kleine Datei',
      packsHint: 'Ein komprimiertes Archiv daneben, zum Verschicken.',
      lists: 'Auch die Namenstabelle',
      listsHint: 'Eine Datei daneben, die sagt, was aus jedem Namen wurde. Aufbewahren, nicht mitschicken.',
      usesKey: 'Schlüssel der Namen',
      usesKeyHint: 'Mit dem Schlüssel eines früheren Pakets werden gleiche Namen wieder gleich.',
      newKey: 'ein neuer, neben dem Paket',
      chooseKey: 'Schlüssel wählen…',
      configuration: 'Konfiguration',
      configurationHint:
        'Eine Kopie kommt mit, ohne Pfade, Hosts, Benutzer und andere Werte, die geheim sein könnten.',
      noConfiguration: 'keine',
      ownConfiguration: 'Die dieses Nodes',
      chooseConfiguration: 'Datei wählen…',
      leaveOut: 'Weglassen',
      button: 'Paket erstellen',
      made: (records: string, chunks: string) => `Das Paket ist erstellt: ${records} in ${chunks}.`,
      directory: 'Paket',
      key: 'Schlüssel',
      keyNote: 'aufbewahren, nicht mitschicken',
      packed: 'Kleine Datei',
      names: 'Namenstabelle',
      configured: 'Konfiguration',
      configuredValue: 'eine Kopie ohne Werte, die geheim sein könnten',
      left: 'Weggelassene Nutzdaten',
      notThere: 'Nicht enthalten',
      unreadable: 'Nicht gelesen'
    }
  }
} satisfies Translation<typeof english>;
