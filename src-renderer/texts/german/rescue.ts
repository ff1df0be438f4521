/** The German texts of `../rescue.ts`, which says what each is for. */
import type { rescueTexts as english } from '../rescue.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

export const rescueTexts = {
  rescue: {
    title: 'Volle Platte retten',
    intro:
      'Eine Rettung ist ein Scavenge für eine Platte, die keinen Platz für einen hat. Sie beginnt mit den Chunks, die je Byte ihrer neuen Datei am meisten freigeben, und benutzt nie mehr Platz, als da ist.',
    safety:
      'Nichts wird geschrieben, bevor Sie den Plan gesehen haben. Was eine Rettung entfernt, kommt nur aus einem Backup zurück.',
    stepsLabel: 'Schritte der Rettung',
    free: (free: string, usable: string) => `Frei auf diesem Volume: ${free}, davon nutzbar: ${usable}.`,
    placement: 'Wo die Rettung endet',
    placements: {
      auto: {
        name: 'Automatisch',
        hint: 'Beendet einen nicht abgeschlossenen Scavenge; sonst bis zum letzten abgeschlossenen Chunk, ohne Point.'
      },
      existing: { name: 'Nur ein vorhandener Point', hint: 'Mit dessen Schwelle und Zeit.' },
      detached: {
        name: 'Bis zum letzten abgeschlossenen Chunk, ohne Point',
        hint: 'Schreibt nichts ins Log.'
      }
    },
    scratch: 'Höchstens nutzen',
    scratchHint:
      'Zusätzlich zum jetzt Belegten. Was frei wird, darf wieder genutzt werden. Leer: alles, was frei ist.',
    reserve: 'Immer frei lassen',
    reserveHint: 'Für das System und andere Programme. Leer: 16 MiB.',
    mebibytes: 'MiB',
    scratchDirectory: 'State des Laufs ablegen in',
    scratchDirectoryHint:
      'Auf einem anderen Volume, wenn dieses keinen Platz hat. Leer: bei den Daten von Winnow.',
    chooseScratch: 'Wählen…',
    withData: 'den Daten von Winnow',
    noScratch: 'Zurück zu den Daten von Winnow',
    makePlan: 'Plan erstellen',
    makePlanAgain: 'Plan neu erstellen',
    start: (bytes: string, node: string) => `${bytes} aus ${node} entfernen`,
    startNothing: (node: string) => `${node} retten`,
    confirmTitle: (node: string) => `${node} retten?`,
    room: 'Platz',
    roomLine: (needed: string, usable: string) =>
      `Die größte neue Datei braucht ${needed} von ${usable}, die nutzbar sind.`,
    roomTooLittle: (needed: string, usable: string) =>
      `Die größte neue Datei braucht ${needed}; am Anfang sind nur ${usable} nutzbar. Sie wartet, bis andere genug freigegeben haben.`,
    roomBar: (needed: string, usable: string, free: string) =>
      `${needed} benötigt, ${usable} nutzbar, ${free} frei`,
    curve: 'Freigegeben im Lauf der Zeit',
    curveByWork: 'Freigegeben im Lauf der Arbeit',
    curveHint: 'Nichts wird frei, bevor das ganze Log gelesen ist.',
    first: (time: string) => `Erste Bytes nach etwa ${time}`,
    whole: (bytes: string, time: string) => `${bytes} nach etwa ${time}`,
    minute: (minute: string) => `nach ${minute} min`,
    point: (chunk: string, bytes: string) => `Chunk ${chunk}: ${bytes} bis dahin freigegeben`,
    order: 'Reihenfolge der Chunks',
    columns: {
      order: 'Folge',
      range: 'Chunk',
      gain: 'Gewinn je Byte Arbeitsplatz',
      scratch: 'Arbeitsplatz',
      freed: 'Gibt frei',
      sofar: 'Bis dahin frei',
      at: 'Nach etwa'
    },
    gainHelp: 'Wie viele Bytes die Platte je Byte der neuen Datei gewinnt; die meisten zuerst.',
    left: (chunks: string) => `Bleiben, wie sie sind: ${chunks}.`,
    complete: 'Die Rettung ist abgeschlossen.',
    stopped: 'Die Rettung wurde angehalten. Die nächste setzt mit den übrigen Chunks fort.',
    again: 'Rest retten',
    planTable: 'Der Plan, Chunk für Chunk, in der Reihenfolge des Laufs',
    doneTable: 'Was getan wurde, Chunk für Chunk'
  }
} satisfies Translation<typeof english>;
