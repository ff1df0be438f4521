/** The German texts of `../folders.ts`, which says what each is for. */
import { counted } from '../../format/count.ts';
import type { foldersTexts as english } from '../folders.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

export const foldersTexts = {
  folders: {
    titles: {
      database: 'Datenverzeichnis öffnen',
      backupTarget: 'Ordner für Backups wählen',
      backups: 'Ordner mit Backups wählen',
      restoreTo: 'Datenverzeichnis für die Wiederherstellung wählen',
      index: 'Indexverzeichnis wählen',
      scratch: 'Ordner für die Probe wählen',
      rescueScratch: 'Ordner für den State der Rettung wählen',
      output: 'Ordner für die Ausgabe wählen'
    },
    hints: {
      database: 'Das Verzeichnis eines angehaltenen Nodes: Es enthält die Chunk-Dateien und writer.chk.',
      backupTarget: 'Außerhalb der Datenbank, am besten auf einer anderen Platte.',
      backups: 'Ein Ordner, in den Winnow sichert, ein Backup darin oder eine von Hand erstellte Kopie.',
      restoreTo: 'Ein leerer Ordner oder das Datenverzeichnis eines angehaltenen Nodes.',
      index: 'Wohin der Index der wiederhergestellten Datenbank kommt.',
      scratch: 'Ein leerer Ordner mit Platz für die ganze Datenbank.',
      rescueScratch: 'Auf einem anderen Volume als die Datenbank.',
      output: 'Außerhalb der Datenbank. Darin entsteht eine neue Datei oder ein neuer Ordner.'
    },
    path: 'Pfad auf dem Rechner des Dienstes',
    placeholder: 'Unten auswählen oder einen Pfad eingeben',
    keys: 'Pfeil ab und auf wählen aus, Enter öffnet, Tab ergänzt, Alt und Pfeil auf führt in den Ordner darüber.',
    allowed: 'Erlaubte Ordner',
    up: 'Ordner darüber',
    showHidden: 'Versteckte Ordner zeigen',
    cancel: 'Abbrechen',
    choose: 'Auswählen',
    list: 'Ordner',
    loading: 'Wird gelesen…',
    again: 'Erneut versuchen',
    kinds: {
      database: 'Datenbank',
      index: 'Index',
      backups: 'Backups',
      backup: 'Ein Backup',
      empty: 'Leer',
      other: ''
    },
    obstacles: {
      outside: 'Führt aus den erlaubten Ordnern hinaus',
      unreadable: 'Nicht lesbar',
      missing: 'Gibt es nicht',
      badName: 'Der Name ist kein gültiger Text'
    },
    noFolders: 'Hier sind keine Ordner.',
    noMatch: (typed: string) => `Kein Ordner beginnt hier mit „${typed}“.`,
    noneAllowed: 'Noch ist kein Ordner erlaubt. Den Dienst mit --allow-path DIR starten.',
    moreAllowed: 'Für andere Ordner wird der Dienst mit --allow-path DIR gestartet.',
    notReadable: 'Der Dienst darf diesen Ordner nicht lesen.',
    gone: 'Diesen Ordner gibt es nicht.',
    cut: 'Nicht alle Ordner sind aufgeführt: Es sind zu viele. Den Pfad eines anderen eingeben.',
    count: (count: number) => counted(count, 'Ordner', 'Ordner'),
    isNew: 'Diesen Ordner gibt es noch nicht. „Auswählen“ legt ihn an.',
    fits: {
      database: {
        backupTarget: 'Das ist eine Datenbank. Backups gehören daneben, nicht hinein.',
        scratch: 'Das ist eine Datenbank. Die Probe braucht einen leeren Ordner.',
        rescueScratch: 'Das ist eine Datenbank. Einen Ordner außerhalb wählen.',
        output: 'Das ist eine Datenbank. Einen Ordner außerhalb wählen.',
        index: 'Das ist eine Datenbank. Ihr Index kommt woandershin.',
        restoreTo: 'Das ist eine Datenbank. Der Plan sagt, was aus ihren Dateien wird.'
      },
      index: {
        database: 'Das ist ein Index. Das Datenverzeichnis daneben wählen.',
        backupTarget: 'Das ist ein Index. Backups gehören woandershin.',
        output: 'Das ist ein Index. Einen anderen Ordner wählen.',
        scratch: 'Das ist ein Index. Die Probe braucht einen leeren Ordner.',
        restoreTo: 'Das ist ein Index, kein Datenverzeichnis.'
      },
      backup: {
        database: 'Das ist ein Backup. Zuerst in einen eigenen Ordner wiederherstellen.',
        backupTarget: 'Das ist ein einzelnes Backup. Den Ordner wählen, in dem es liegt.',
        restoreTo: 'Das ist ein Backup. In einen anderen Ordner wiederherstellen.',
        scratch: 'Das ist ein Backup. Die Probe braucht einen leeren Ordner.'
      },
      backups: {
        database: 'Hier liegen Backups. Zuerst eines in einen eigenen Ordner wiederherstellen.',
        backupTarget: 'Hier liegen schon Backups. Neue kommen dazu.',
        restoreTo: 'Hier liegen Backups. In einen anderen Ordner wiederherstellen.',
        scratch: 'Hier liegen Backups. Die Probe braucht einen leeren Ordner.'
      },
      other: {
        database: 'In diesem Ordner ist keine Datenbank.',
        scratch: 'In diesem Ordner sind andere Dateien. Die Probe braucht einen leeren Ordner.',
        restoreTo: 'In diesem Ordner sind andere Dateien. Der Plan sagt, ob das möglich ist.'
      }
    }
  }
} satisfies Translation<typeof english>;
