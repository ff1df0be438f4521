/** The German texts of `../health.ts`, which says what each is for. */
import type { healthTexts as english } from '../health.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

export const healthTexts = {
  health: {
    word: {
      unknown: 'noch nicht geprüft',
      notChecked: 'nicht geprüft',
      sound: 'in Ordnung',
      findings: 'Befunde',
      willNotStart: 'startet nicht',
      unclean: 'nicht sauber beendet',
      cuts: 'kürzt das Log',
      running: 'läuft',
      failed: 'nicht lesbar',
      working: 'in Arbeit'
    },
    by: { doctor: 'Startprüfung', verify: 'Prüfung', inspect: 'Durchsicht' },
    asOf: (word: string, time: string, by: string) => `${word}, Stand ${time} (${by})`,
    inPart: (words: string) => `${words}, soweit geprüft`,
    changedSince: (word: string, before: string) =>
      `${word}, seit sich die Dateien geändert haben; vorher: ${before}`,
    runningWith: (known: string) => `läuft, ${known}`,
    coverage: {
      notKnown: 'Nicht bekannt, wie viel des Logs geprüft ist',
      nothing: 'Noch kein abgeschlossener Chunk zu prüfen',
      share: (percent: string, time: string) => `${percent} % des Logs geprüft (Zeitraum: ${time})`,
      damaged: (chunks: string) => `${chunks} beim letzten Lesen beschädigt`,
      oldest: (age: string) => `älteste Prüfung: ${age}`,
      hint: 'Abgeschlossene Chunks, von denen jedes Byte gelesen wurde und zum Hash passt und die sich seitdem nicht geändert haben.'
    }
  }
} satisfies Translation<typeof english>;
