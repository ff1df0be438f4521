/** The German texts of `../doctor.ts`, which says what each is for. */
import type { doctorTexts as english } from '../doctor.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

export const doctorTexts = {
  doctor: {
    title: 'Startet hier ein Server?',
    checked: (age: string) => `geprüft ${age}`,
    options: 'Weitere Optionen',
    optionsHint: 'Ein anderer Server, oder eine gründliche Prüfung',
    check: 'Start prüfen',
    again: 'Erneut prüfen',
    none: 'Noch nicht geprüft.',
    version: 'Serverversion',
    byChunks: 'wie an den Chunks erkannt',
    thorough: 'Gründlich',
    thoroughHint: 'Liest alles, was der Server liest, gleich wie lange es dauert',
    unreadable: 'Das lässt sich nicht sagen: Das Verzeichnis ist nicht lesbar.',
    stale: 'Die Datenbank hat sich seit dieser Prüfung geändert.',
    wouldDo: 'Der Server:',
    says: 'In seinem Log:',
    hints: (count: string) => `${count} zur Kenntnis`,
    deletes: (count: string) => `Dieser Start löscht: ${count}`,
    work: 'Arbeit während des Starts',
    rates: 'mit den angegebenen Raten',
    inBackground: 'im Hintergrund',
    whatWork: {
      openChunks: 'Chunk-Dateien öffnen',
      hashTables: 'Hashes der Indextabellen bilden',
      copyIndexAside: 'Alten Index beiseite kopieren',
      readLogIntoIndex: 'Log in den Index einlesen',
      loadFilter: 'Filter vorhandener Streams laden',
      rebuildFilter: 'Filter vorhandener Streams neu aufbauen',
      readLogIntoFilter: 'Log in den Filter einlesen',
      hashChunks: 'Hashes der Chunks bilden'
    },
    server: (version: string) => `Vorhergesagt für Serverversion ${version}`,
    notChecked: 'Nicht geprüft',
    askHere: 'Startet hier ein Server?'
  }
} satisfies Translation<typeof english>;
