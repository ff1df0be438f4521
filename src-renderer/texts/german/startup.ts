/** The German texts of `../startup.ts`, which says what each is for. */
import type { startupTexts as english } from '../startup.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

export const startupTexts = {
  startup: {
    title: 'Wie lange dauert der nächste Start?',
    none: 'Noch nicht geschätzt.',
    stopped: 'Die Schätzung wurde angehalten.',
    noStart: 'Es gibt nichts zu schätzen, solange dieser Node nicht startet.',
    atFirst: (duration: string) =>
      `Etwa ${duration}, nach der Prüfung oben. Wie schnell diese Platte ist und was sich vorher tun lässt, ist noch nicht bekannt.`,
    over: 'Die Datenbank hat sich seit dieser Schätzung geändert.',
    ask: 'Start schätzen',
    again: 'Neu schätzen',
    estimated: (age: string) => `geschätzt ${age}`,
    part: 'Teil des Starts',
    amount: 'Menge',
    time: 'Dauer',
    prepared: 'Vorbereitet',
    rateTitle: 'Rate',
    timeHelp: 'Was dieser Teil mit seiner Rate dauert.',
    preparedHelp: 'Was nach der Vorbereitung davon bleibt; leer: ebenso viel.',
    rateHelp: 'Auf dieser Platte gemessen, oder angenommen, wo zu wenig zum Messen da war.',
    rate: (amount: string, basis: string) => `${amount} pro Sekunde, ${basis}`,
    basis: { measured: 'gemessen', assumed: 'angenommen' },
    why: 'Warum, und was dagegen zu tun ist',
    steps: 'Was sich vorher tun lässt',
    stepsPlanned: {
      applyTruncation: 'Log kürzen',
      rebuildIndex: 'Index neu aufbauen',
      catchUpIndex: 'Index auf den Stand des Logs bringen',
      mergeTables: 'Indextabellen zusammenführen',
      rebuildExistenceFilter: 'Filter vorhandener Streams erzeugen',
      catchUpExistenceFilter: 'Filter vorhandener Streams auf den Stand des Logs bringen'
    },
    stepsDone: {
      applyTruncation: 'Log gekürzt',
      rebuildIndex: 'Index neu aufgebaut',
      catchUpIndex: 'Index auf den Stand des Logs gebracht',
      mergeTables: 'Indextabellen zusammengeführt',
      rebuildExistenceFilter: 'Filter vorhandener Streams erzeugt',
      catchUpExistenceFilter: 'Filter vorhandener Streams auf den Stand des Logs gebracht'
    },
    cutOff: (bytes: string) => `${bytes} abgeschnitten`,
    done: 'Vorbereitet',
    nothingDone: 'Es war nichts zu tun.',
    nothing: 'Es ist nichts übrig, was sich vorher tun ließe.',
    refused: 'Jetzt lässt sich nichts vorbereiten.',
    stateMoved: (to: string) =>
      `Der Scavenge-State wurde nach ${to} verschoben: Er könnte jetzt weiter sein als das Log.`,
    inUse: 'Ein Start wird vorbereitet, während der Server angehalten ist.',
    changed: 'Diese Optionen sind nicht die der Schätzung. Neu schätzen, um ihren Plan zu sehen.',
    moreHint: 'Kürzen, Zusammenführen von Tabellen, Netzfreigaben',
    applyTruncation: 'Ausstehende Kürzung ausführen',
    applyTruncationHint: 'Was truncate.chk verlangt, wird jetzt abgeschnitten, wie beim Start',
    mergeTables: 'Indextabellen zusammenführen',
    mergeTablesHint: 'Wie der laufende Server; der Start selbst dauert ohne das ebenso lange',
    prepare: 'Jetzt vorbereiten',
    confirmTitle: (node: string) => `Nächsten Start von ${node} vorbereiten?`,
    confirm: (steps: string) => `${steps}, wie geplant. Das Log wird nur gelesen.`,
    confirmTruncation:
      'Das Log wird gekürzt, wie truncate.chk es verlangt; dann folgen die anderen Schritte wie geplant.'
  }
} satisfies Translation<typeof english>;
