/** The German texts of `../backup-rekey.ts`, which says what each is for. */
import type { backupRekeyTexts as english } from '../backup-rekey.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

export const backupRekeyTexts = {
  backupRekey: {
    rekey: 'Backups umschlüsseln…',
    isGeneration: 'Eine neue Generation, umgeschlüsselt',
    isPlain: 'Dieses Backup ist nicht verschlüsselt.',
    formTitle: 'Backups umschlüsseln',
    intro:
      'Jedes verschlüsselte Backup in diesem Verzeichnis wird zu einer neuen Generation seiner selbst. Die alte Generation wird entfernt, sobald die neue zurückgelesen ist: Danach öffnen nur noch die neuen Schlüssel das Backup.',
    newKeys: 'Neue Schlüssel',
    ways: {
      own: { name: 'Der Schlüssel der nächsten Backups', hint: (file: string) => file },
      file: {
        name: 'Die Schlüssel in einer anderen Datei',
        hint: 'Öffentliche Schlüssel, einer je Zeile. Jeder von ihnen öffnet die Backups.'
      }
    },
    chooseFile: 'Schlüsseldatei wählen…',
    old: 'Was sie jetzt öffnet',
    plan: 'Umschlüsselung planen',
    cancel: 'Abbrechen',
    planTitle: 'Plan der Umschlüsselung',
    facts: {
      due: 'Umzuschlüsseln',
      done: 'Bereits mit diesen Schlüsseln',
      read: 'Zu lesen und zu schreiben',
      free: 'Frei im Ziel'
    },
    recipients: 'Danach zu öffnen mit',
    exists: 'Kein Backup in diesem Verzeichnis ist für andere Schlüssel verschlüsselt.',
    start: 'Für diese Schlüssel umschlüsseln',
    confirmTitle: 'Für diese Schlüssel umschlüsseln?',
    confirm: (backups: string) =>
      `Danach nur noch mit den neuen Schlüsseln zu öffnen, nicht mehr mit den alten: ${backups}. Den neuen geheimen Schlüssel oder das Passwort auch anderswo aufbewahren: Ohne sie ist keine Wiederherstellung möglich.`,
    done: (backups: string) => `Umgeschlüsselt und zurückgelesen: ${backups}.`,
    oldIsOut: 'Die alten Schlüssel öffnen kein Backup in diesem Verzeichnis mehr.',
    generation: (of: string, id: string) => `${of} ist jetzt ${id}`,
    files: (stored: string, shared: string) => `${stored} umgeschlüsselt, ${shared} gemeinsam genutzt`,
    nextTitle: 'Die nächsten Backups haben einen anderen Schlüssel',
    nextHint:
      'Was hier gewählt wurde, gilt für die vorhandenen Backups. Für die nächsten dieselbe Datei wählen.',
    stopped:
      'Angehalten. Jedes Backup hat seine alten Schlüssel oder die neuen; noch einmal für dieselben Schlüssel umschlüsseln, um es abzuschließen.'
  }
} satisfies Translation<typeof english>;
