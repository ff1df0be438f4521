/** The German texts of `../backup-erasure.ts`, which says what each is for. */
import type { backupErasureTexts as english } from '../backup-erasure.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

export const backupErasureTexts = {
  backupErasure: {
    erase: 'In diesem Backup löschen…',
    eraseToo: 'Auch darin löschen…',
    eraseShort: 'Darin löschen…',
    eraseHint:
      'Entfernt aus diesem Backup, was laut seinem Log gelöscht ist, oder die Daten bestimmter Events.',
    formTitle: (when: string) => `Im Backup vom ${when} löschen`,
    intro:
      'Das Backup wird in ein Arbeitsverzeichnis wiederhergestellt, dort bereinigt, geprüft und als neue Generation seiner selbst gespeichert. Die alte Generation bleibt, bis Sie sie entfernen.',
    chooseOne: 'Das Backup auswählen, in dem gelöscht werden soll.',
    kind: 'Was gelöscht wird',
    kinds: {
      scavenge: {
        name: 'Was laut seinem Log gelöscht oder abgelaufen ist',
        hint: 'Ein Scavenge des Backups. Was nach seiner Erstellung gelöscht wurde, steht nicht in seinem Log und bleibt.'
      },
      redaction: {
        name: 'Die Daten bestimmter Events',
        hint: 'Überschrieben wie bei der Schwärzung eines Nodes: Die Events bleiben, mit leeren Daten.'
      }
    },
    point: 'Bis zu',
    points: {
      auto: {
        name: 'Der neueste Scavenge Point in seinem Log',
        hint: 'Enthält es keinen, das Ende des letzten abgeschlossenen Chunks.'
      },
      existing: { name: 'Nur ein solcher Point', hint: 'Enthält es keinen, geschieht nichts.' },
      detached: {
        name: 'Das Ende des letzten abgeschlossenen Chunks',
        hint: 'Mit der jetzigen Zeit als Zeit des Scavenge.'
      }
    },
    threshold: 'Mindestgewicht eines Chunks',
    thresholdHint:
      'Wenn ohne Point beendet wird: -1 nimmt jeden Chunk, 0 jeden, in dem etwas zu entfernen ist.',
    events: 'Event-IDs',
    eventsHint: 'Eine je Zeile.',
    scratch: 'Arbeitsverzeichnis',
    scratchHint:
      'Mit Platz für das ganze Backup. Was dort liegt, ist nicht verschlüsselt. Es wird am Ende entfernt und bleibt nach dem Anhalten, außer bei einem verschlüsselten Backup.',
    temporary: 'Temporäres Verzeichnis…',
    plan: 'Löschung planen',
    cancel: 'Abbrechen',
    planTitle: 'Plan der Löschung',
    removalTitle: 'Plan des Entfernens',
    facts: {
      backup: 'Backup',
      goes: 'Gelöscht wird',
      rewritten: 'Eventuell neu geschrieben',
      target: 'Neue Generation',
      scratch: 'Arbeitsplatz',
      there: 'Neue Generation',
      removed: 'Entfernt',
      redacted: 'Überschrieben',
      point: 'Scavenge Point',
      stored: 'Gespeichert',
      shared: 'Mit der alten geteilt',
      verified: 'Zurückgelesen',
      freed: 'Freigegeben'
    },
    goes: {
      auto: 'was laut dem Log des Backups bis zu seinem neuesten Scavenge Point gelöscht oder abgelaufen ist; ohne Scavenge Point bis zum Ende des letzten abgeschlossenen Chunks',
      existing:
        'was laut dem Log des Backups bis zu seinem neuesten Scavenge Point gelöscht oder abgelaufen ist',
      detached:
        'was laut dem Log des Backups bis zum Ende seines letzten abgeschlossenen Chunks gelöscht oder abgelaufen ist',
      redaction: (events: string) => `die Daten: ${events}`
    },
    atMost: (bytes: string) => `höchstens ${bytes} im Ziel`,
    chunksOf: (chunks: string, bytes: string) => `höchstens ${chunks}; das Backup hat ${bytes}`,
    needed: (bytes: string) => `${bytes} benötigt`,
    free: (bytes: string) => `${bytes} frei`,
    noRoom: (directory: string, missing: string) => `Nicht genug Platz: In ${directory} fehlen ${missing}.`,
    makeRoom: 'Ein anderes Arbeitsverzeichnis wählen, dann neu planen.',
    gathered: 'Was genau gelöscht wird, steht fest, sobald das Backup zusammengestellt ist.',
    there: (id: string) => `${id}, aus einem früheren Lauf`,
    shares: (files: string) =>
      `Gemeinsam mit diesem Backup: ${files}, die vielleicht neu geschrieben werden. Was hier gelöscht wird, bleibt dort: auch darin löschen oder es entfernen.`,
    sharesOld: (files: string) =>
      `Gemeinsam mit der alten Generation: ${files}. Auch darin löschen oder es entfernen.`,
    stillHolds: (files: string) =>
      `Enthält noch, was gelöscht wurde: ${files}. Auch darin löschen oder es entfernen.`,
    otherBackup: (id: string) => `Backup ${id}`,
    start: 'Neue Generation speichern',
    confirmTitle: 'In diesem Backup löschen?',
    confirm: (when: string) =>
      `Das Backup vom ${when} wird zusammengestellt, bereinigt, geprüft und als neue Generation gespeichert. Die alte Generation bleibt, bis Sie sie entfernen.`,
    startRemoval: 'Alte Generation entfernen',
    planRemoval: 'Entfernen der alten Generation planen',
    removal: (id: string, bytes: string) =>
      `Liest jedes Byte der neuen Generation noch einmal. Ist sie unversehrt, wird die alte Generation ${id} (${bytes}) entfernt; Dateien, die andere Backups nennen, bleiben.`,
    removalAndMore:
      'Es gibt noch keine neue Generation: Sie wird zuerst gespeichert und zurückgelesen, dann wird die alte entfernt.',
    confirmRemovalTitle: 'Die alte Generation entfernen?',
    confirmRemoval: (id: string) =>
      `Die Generation ${id} wird endgültig entfernt. Was gelöscht wurde, kann dann aus diesem Backup nicht mehr zurückkommen.`,
    done: (id: string) => `Die neue Generation ${id} ist gespeichert, jedes Byte wurde zurückgelesen.`,
    exists: (id: string) => `Die neue Generation ${id} war schon da, jedes Byte wurde zurückgelesen.`,
    unchanged: 'Es war nichts zu entfernen: Das Backup ist unverändert.',
    removed: (id: string) => `Die alte Generation wurde entfernt; das Backup ist jetzt ${id}.`,
    oldIsThere: 'Die alte Generation ist noch da',
    oldIsThereHint: 'Sie enthält noch, was gelöscht wurde. Entfernen, sobald die neue sich bewährt hat.',
    recordsOf: (records: string, chunks: string) => `${records}; ${chunks} neu geschrieben`,
    noPoint: 'im Log des Backups ist keiner',
    pointAt: (number: string, position: string) => `${number}, bei ${position}`,
    detachedAt: (position: string) => `keiner; beendet bei ${position}`,
    filesOf: (files: string, bytes: string) => `${files}, ${bytes}`,
    stopped:
      'Angehalten. Das Backup ist unverändert; Begonnenes setzt derselbe Auftrag fort, jeder andere entfernt es.',
    generation: 'Eine neue Generation, darin gelöscht',
    rewrites: 'Generation',
    rewritesOf: (of: string) => `erzeugt aus ${of}`,
    copyId: 'ID kopieren'
  }
} satisfies Translation<typeof english>;
