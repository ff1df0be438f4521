/** The German texts of `../restore.ts`, which says what each is for. */
import type { restoreTexts as english } from '../restore.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

export const restoreTexts = {
  restore: {
    title: 'Wiederherstellen',
    entrance: 'Backup wiederherstellen…',
    here: 'Backup hier wiederherstellen…',
    intro:
      'Bringt ein Backup oder eine von Hand erstellte Kopie in das Datenverzeichnis eines angehaltenen Nodes. Nichts wird geschrieben, bevor Sie den Plan gesehen haben.',
    stepsLabel: 'Schritte der Wiederherstellung',
    steps: { backup: 'Welches Backup', place: 'Wohin', plan: 'Plan' },
    lastStep: { runs: 'Wiederherstellung', ended: 'Ergebnis' },
    whyNot: {
      place: 'Zuerst ein Backup wählen.',
      plan: 'Zuerst das Ziel wählen.',
      running: 'Die Wiederherstellung läuft.'
    },
    source: {
      title: 'Backups aus',
      ofNode: (node: string) => `Backups von ${node}`,
      firstDirectory: 'Verzeichnis wählen…',
      directory: 'Anderes Verzeichnis…',
      directoryHint: 'Ein Backup-Verzeichnis, der Ordner eines Backups oder eine von Hand erstellte Kopie',
      store: 'Objektspeicher…',
      none: 'Wählen, wo das Backup liegt.',
      noneHint:
        'Ein Backup-Verzeichnis, der Ordner eines Backups, eine von Hand erstellte Kopie oder ein Objektspeicher.',
      reading: 'Katalog wird gelesen…',
      copyTitle: 'Hier ist kein Katalog',
      copy: 'Dieser Ordner wird wiederhergestellt, wie er ist: ein Backup oder eine von Hand erstellte Kopie. Der Plan prüft ihn.',
      list: 'Backups zum Wiederherstellen',
      stored: 'Gespeichert',
      encrypted: 'verschlüsselt',
      plain: 'unverschlüsselt',
      next: 'Ziel wählen'
    },
    key: {
      title: (key: string) => `Dieses Backup ist für ${key} verschlüsselt.`,
      unknown: 'Dieses Backup ist verschlüsselt.',
      own: 'Die Schlüsseldatei dieses Nodes öffnet es.',
      file: 'Schlüsseldatei…',
      chosen: (file: string) => `Schlüsseldatei: ${file}`,
      password: 'Passwort',
      usePassword: 'Passwort verwenden',
      given: 'Ein Passwort wurde angegeben.',
      how: 'Die Datei mit dem geheimen Schlüssel angeben oder das Passwort, mit dem er versiegelt ist.',
      tryAgain: 'Mit diesem Schlüssel erneut versuchen'
    },
    place: {
      title: 'Wiederherstellen in',
      thisNode: 'dieser Node',
      inUse: 'Ein laufender Server hält dieses Verzeichnis. Zuerst den Server anhalten.',
      isEmpty: 'Das Verzeichnis hat keine Datenbank.',
      directory: 'Anderes Verzeichnis…',
      directoryHint: 'Ein leeres, oder das Datenverzeichnis eines Nodes, der nicht in der Liste steht',
      chosen: 'Das gewählte Verzeichnis',
      moreHint: 'Kürzen, Indexverzeichnis, Netzfreigaben',
      index: 'Indexverzeichnis',
      indexInside: 'Index im Datenverzeichnis',
      indexChoose: 'Wählen…',
      indexInsideAgain: 'Wieder innerhalb',
      assumeStopped: 'Der Server ist angehalten',
      assumeStoppedHint: 'Für Netzfreigaben, wo keine Sperre zeigt, ob ein Server läuft.'
    },
    applyTruncation: 'Log bei der Wiederherstellung kürzen',
    applyTruncationHint:
      'Dann genügt ein Start des Servers. Sonst kürzt sein erster Start das Log und beendet sich.',
    planning: 'Das Backup wird mit dem Vorhandenen verglichen…',
    remedies: {
      giveKey: 'Anderen Schlüssel angeben',
      resume: 'Wiederherstellung abschließen',
      undo: 'Alte Dateien zurücklegen',
      anotherBackup: 'Anderes Backup wählen',
      anotherPlace: 'Anderes Verzeichnis wählen',
      planAgain: 'Plan neu erstellen'
    },
    stopped:
      'Angehalten. Der Inhalt des Verzeichnisses ist unverändert, oder die Wiederherstellung wartet darauf, abgeschlossen oder rückgängig gemacht zu werden.',
    again: 'Ein weiteres Backup wiederherstellen',
    open: 'Diese Datenbank öffnen',
    show: 'Diesen Node zeigen',
    cut: {
      title: 'Eine Kürzung steht aus',
      waiting: (position: string) =>
        `truncate.chk sagt ${position}: Der nächste Start des Servers kürzt das Log dort.`,
      see: 'Jetzt kürzen…',
      planTitle: 'Was die Kürzung entfernt',
      endsAt: 'Log wird enden bei',
      endsNow: 'Log endet bei',
      removes: 'Entfernt',
      bytes: (bytes: string) => `${bytes} am Ende des Logs`,
      files: 'Gelöschte Dateien',
      next: 'Nächster Start',
      start: 'Log kürzen',
      limit: 'Grenze',
      limitOfServer: (bytes: string) => `${bytes}, wie beim Server`,
      anyAmount: 'keine',
      confirmTitle: 'Log kürzen?',
      confirm: (bytes: string) => `Entfernt ${bytes} endgültig, wie es der nächste Start des Servers täte.`,
      nothing: 'Es ist nichts zu kürzen.',
      done: 'Das Log wurde gekürzt.'
    },
    cutLimit: {
      title: 'Wie viel abgeschnitten werden darf',
      server: (bytes: string) => `So viel wie beim Server: ${bytes}`,
      serverHint: 'Verweigert diese Kürzung. Zuerst klären, warum so viel vom Log weg soll.',
      upTo: 'Bis zu einer eigenen Grenze',
      upToHint: (bytes: string) => `Diese Kürzung braucht ${bytes}.`,
      any: 'Beliebig viel',
      anyHint:
        'Nur wenn Sie wissen, dass das Ende des Logs weg soll, etwa nachdem ein älteres Backup von Hand zurückgespielt wurde.',
      most: 'Höchstens abschneiden',
      explained:
        'Was abgeschnitten ist, ist endgültig weg. Der Server verweigert dasselbe beim Start, sofern seine Einstellung MaxTruncation es nicht erlaubt. Der Plan zeigt, was wegfällt, bevor etwas geschrieben wird.',
      plan: 'Mit dieser Grenze planen'
    },
    planned: {
      title: 'Plan der Wiederherstellung',
      onto: 'Ziel',
      copies: 'Kopiert',
      copiesValue: (files: string, bytes: string) => `${files}, ${bytes}`,
      space: 'Platz',
      spaceValue: (needed: string, free: string) => `${needed} benötigt, ${free} frei`,
      notEnough: 'Der freie Platz reicht nicht: Die alten Dateien bleiben, bis Sie sie entfernen.',
      replaces: 'Ersetzt',
      replacesNothing: 'nichts, das Verzeichnis ist leer',
      replacesLog: (end: string) => `ein Log, das bei ${end} endet`,
      lost: 'Verloren',
      lostNothing: 'nichts: Das Backup enthält dieses Log ganz',
      lostBytes: (bytes: string) => `${bytes} am Ende des Logs, die das Backup nicht enthält`,
      lostUnknown: 'nicht bekannt: Die beiden Logs lassen sich nicht vergleichen',
      lostOther: 'dieses Log ganz: Das Backup hat einen anderen Verlauf',
      aside: 'Alte Dateien kommen nach',
      end: 'Log wird enden bei',
      cut: (bytes: string) => `${bytes} dahinter werden entfernt`,
      leftOut: 'Nicht kopiert',
      leftOutWhy: {
        behindTheLog: 'hinter dem Ende des Logs',
        scavengeState: 'Scavenge-State',
        madeByTheServer: 'erzeugt der Server neu',
        rewrittenHere: 'schreibt die Wiederherstellung'
      },
      next: 'Nächster Start',
      start: (node: string) => `${node} ersetzen`,
      startEmpty: (node: string) => `In ${node} wiederherstellen`,
      lookAgain: 'Erneut prüfen',
      inUse: 'Ein laufender Server hält dieses Verzeichnis. Zuerst den Server anhalten.',
      changed: 'Das Log hat sich geändert, seit dieser Plan erstellt wurde.',
      planAgain: 'Plan neu erstellen',
      confirmTitle: (node: string) => `${node} durch das Backup ersetzen?`,
      confirmReplaces: (directory: string, backup: string) =>
        `Die Datenbank in ${directory} wird durch das Backup ${backup} ersetzt.`,
      confirmAside: (directories: string) =>
        `Die alten Dateien kommen nach ${directories}; nichts wird gelöscht.`
    },
    restored: {
      title: 'Das Backup wurde wiederhergestellt.',
      copied: 'Kopiert',
      aside: 'Alte Dateien',
      noAside: 'keine',
      end: 'Log endet bei',
      next: 'Nächster Start',
      advice:
        'Dieses Backup ist von diesem Node: jetzt ein volles Backup erstellen. Differenzielle können nicht auf die von vor der Wiederherstellung aufbauen.',
      adviceFirstStart:
        'Ein volles Backup ist nach dem ersten Start des Servers möglich, der das Log kürzt: starten, dann das Backup erstellen.',
      fullBackup: 'Volles Backup erstellen',
      removeOld: 'Die alten Dateien selbst entfernen, sobald die neue Datenbank läuft.'
    },
    undone: 'Die Wiederherstellung wurde rückgängig gemacht; die alte Datenbank ist wieder an ihrem Platz.',
    unfinishedRestore: {
      title: 'Eine Wiederherstellung dieses Verzeichnisses ist nicht abgeschlossen',
      untouched:
        'Die alte Datenbank ist bisher unverändert. Die Wiederherstellung abschließen oder rückgängig machen.',
      neither:
        'Einige Dateien sind alt, einige neu: Ein Server startet hier nicht. Die Wiederherstellung abschließen oder die alten Dateien zurücklegen.',
      finishing:
        'Die neue Datenbank ist an ihrem Platz; nur der letzte Schritt fehlt. Die Wiederherstellung abschließen.',
      continue: 'Wiederherstellung abschließen',
      undo: 'Alte Dateien zurücklegen',
      continueTitle: 'Wiederherstellung abschließen?',
      continueText:
        'Die neuen Dateien kommen an ihren Platz; die alten bleiben, wohin sie verschoben wurden.',
      undoTitle: 'Alte Dateien zurücklegen?',
      undoText: 'Die aus dem Backup kopierten Dateien werden entfernt, die alte Datenbank kommt zurück.'
    }
  }
} satisfies Translation<typeof english>;
