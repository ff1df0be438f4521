/** The German texts of `../table.ts`, which says what each is for. */
import { counted } from '../../format/count.ts';
import type { tableTexts as english } from '../table.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

const rows = (count: number): string => counted(count, 'Zeile', 'Zeilen');

export const tableTexts = {
  table: {
    headOf: (label: string) => `Spalten von ${label}`,
    sortBy: (title: string) => `Nach ${title} sortieren`,
    sorted: (title: string, isDescending: boolean) =>
      `${title}, ${isDescending ? 'absteigend' : 'aufsteigend'} sortiert`,
    column: (title: string) => `Spalte ${title}`,
    headKeys:
      'Umschalt und Pfeiltasten ändern die Breite, Strg+Umschalt und Pfeiltasten verschieben die Spalte.',
    menu: 'Spalten und Export',
    columns: 'Spalten',
    up: (title: string) => `${title} nach oben`,
    down: (title: string) => `${title} nach unten`,
    reset: 'Spalten zurücksetzen',
    allRows: 'Alle Zeilen',
    rowsOf: (count: number) => (count === 0 ? 'Keine Zeilen' : rows(count)),
    exportCsv: 'Als CSV exportieren…',
    exportJson: 'Als JSON exportieren…',
    copy: (count: number) => (count === 1 ? 'Zeile kopieren' : `${rows(count)} kopieren`),
    copied: (count: number) => `${rows(count)} kopiert.`,
    tooMany: 'Das sind zu viele Zeilen für die Zwischenablage. Stattdessen exportieren.',
    exporting: (done: string, total: string) => `Export: ${done} von ${total} Zeilen`,
    exportingSome: (count: number) => `Export: bisher ${rows(count)}`,
    exported: (count: number, file: string) => `${rows(count)} nach ${file} exportiert.`,
    stop: 'Anhalten',
    rowMenu: 'Aktionen der Zeile',
    more: 'Weitere Aktionen',
    filter: (title: string) => `Nach ${title} filtern`,
    allOf: 'Alle',
    noneLeft: 'Keine Zeile hat diesen Status.',
    showAll: 'Alle Zeilen zeigen'
  }
} satisfies Translation<typeof english>;
