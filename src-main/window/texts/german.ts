/** The same in German. */
import { titleInGerman } from '../../contract/operations/german-titles.ts';
import type { WindowTexts } from './english.ts';

export const german = {
  title: titleInGerman,
  menu: {
    file: '&Datei',
    open: '&Öffnen…',
    openConfiguration: 'Server&konfiguration öffnen…',
    openRecent: '&Zuletzt geöffnet',
    createSample: 'Beispieldatenbank anlegen',
    newCluster: 'Neuer Cluster…',
    addCluster: 'Laufenden Cluster hinzufügen…',
    restore: 'Wiederherstellen…',
    settings: 'Einstellungen…',
    about: 'Über Winnow',
    close: '&Schließen',
    closeWindow: 'Fenster schließen',
    node: '&Node',
    plan: 'Was würde ein Scavenge freigeben?',
    scavenge: 'Scavenge…',
    schedule: 'Zeitplan…',
    backup: 'Sichern…',
    doctor: 'Startet hier ein Server?',
    verify: 'Prüfen',
    repair: 'Reparieren…',
    rebuildIndex: 'Index neu aufbauen…',
    erasure: 'Löschnachweis…',
    rescue: 'Volle Platte retten…',
    showInFolder: 'Im Dateimanager zeigen',
    copyPath: 'Pfad kopieren',
    rename: 'Umbenennen…',
    forget: 'Aus der Liste nehmen',
    stop: 'Laufenden Vorgang anhalten',
    view: '&Ansicht',
    overview: 'Übersicht',
    chunks: 'Chunks',
    records: 'Records',
    streams: 'Streams',
    index: 'Index',
    usage: 'Belegung',
    back: 'Zurück',
    forward: 'Vorwärts',
    refresh: 'Aktualisieren',
    sideBar: 'Seitenleiste',
    theme: 'Farbschema wechseln',
    actualSize: 'Originalgröße',
    zoomIn: 'Vergrößern',
    zoomOut: 'Verkleinern',
    help: '&Hilfe',
    documentation: '&Dokumentation',
    documentationAbout: 'Dokumentation dieser Ansicht',
    shortcuts: 'Tastenkürzel',
    tour: 'Rundgang durch die Beispieldatenbank',
    palette: 'Suchen oder ausführen…'
  },
  roles: {
    editMenu: '&Bearbeiten',
    undo: 'Rückgängig',
    redo: 'Wiederholen',
    cut: 'Ausschneiden',
    copy: 'Kopieren',
    paste: 'Einfügen',
    delete: 'Löschen',
    selectAll: 'Alles auswählen',
    windowMenu: '&Fenster',
    minimize: 'Minimieren',
    zoom: 'Zoomen',
    close: 'Schließen',
    quit: 'Beenden',
    togglefullscreen: 'Vollbild',
    reload: 'Neu laden',
    toggleDevTools: 'Entwicklerwerkzeuge',
    services: 'Dienste',
    hide: 'Winnow ausblenden',
    hideOthers: 'Andere ausblenden',
    unhide: 'Alle einblenden'
  },
  choose: {
    database: 'Datenverzeichnis öffnen',
    databaseHint: 'Das Verzeichnis mit den Chunk-Dateien und writer.chk',
    serverConfiguration: 'Serverkonfiguration öffnen',
    configurations: 'Konfiguration',
    allFiles: 'Alle Dateien',
    backupTarget: 'Verzeichnis für Backups wählen',
    backupTargetHint: 'Ein Verzeichnis außerhalb der Datenbank, am besten auf einer anderen Platte',
    licence: 'Lizenzdatei wählen',
    backups: 'Verzeichnis mit Backups, ein Backup oder eine Kopie wählen',
    restoreTo: 'Datenverzeichnis für die Wiederherstellung wählen',
    index: 'Indexverzeichnis wählen',
    keyFile: 'Schlüsseldatei wählen',
    scratch: 'Arbeitsverzeichnis wählen',
    rescueScratch: 'Verzeichnis für den State der Rettung wählen',
    output: 'Verzeichnis für die Ausgabe wählen',
    bundleKey: 'Schlüssel eines früheren Pakets wählen',
    configuration: 'Konfigurationsdatei des Servers wählen',
    authority: 'Zertifikat der Zertifizierungsstelle wählen (PEM)'
  },
  saves: {
    Export: 'Export',
    'Save the new key': 'Neuen Schlüssel speichern',
    'Save the bill of materials': 'Stückliste speichern'
  },
  closing: {
    running: (titles: string, count: number) => `${titles} ${count === 1 ? 'läuft' : 'laufen'} noch`,
    keep: 'Weiterlaufen lassen',
    stop: 'Anhalten und schließen',
    close: 'Schließen',
    late: (titles: string, count: number, seconds: number) =>
      `${titles} ${count === 1 ? 'hat' : 'haben'} nicht binnen ${seconds} Sekunden angehalten und ${count === 1 ? 'wurde' : 'wurden'} beendet`,
    does: {
      restore:
        'Schließen hält sie an. Eine nicht abgeschlossene Wiederherstellung lässt sich dann in der Übersicht des Nodes abschließen oder rückgängig machen.',
      scavenge:
        'Schließen hält geordnet an. Was getan ist, bleibt, und der nächste Scavenge setzt dort fort.',
      undo: 'Schließen hält sie an. Eine nicht abgeschlossene Rücknahme wird dann in der Ansicht Scavenge des Nodes abgeschlossen; bis dahin startet dort kein Server.',
      repair:
        'Schließen hält an. Jede Datei hat ihre alte oder ihre neue Form; noch einmal starten, um es abzuschließen.',
      extract:
        'Schließen hält an. Unter dem endgültigen Namen bleibt nichts; dieselbe Anforderung setzt mit dem Vorhandenen fort.',
      backup: 'Schließen hält es an. Das nächste Backup setzt mit dem Kopierten fort.',
      eraseInBackup:
        'Schließen hält an. Die alte Generation des Backups ist unversehrt; noch einmal darin löschen, um die neue zu erzeugen.',
      rekey:
        'Schließen hält an. Jedes Backup hat seine alten Schlüssel oder die neuen; noch einmal starten, um es abzuschließen.',
      prune: 'Schließen hält an. Backups, die noch aufgeführt sind, sind unversehrt.',
      other: 'Schließen hält an. An der Datenbank wurde nichts geändert.'
    },
    left: {
      restore:
        'Die Wiederherstellung ist nicht abgeschlossen: in der Übersicht des Nodes abschließen oder rückgängig machen. Bis dahin startet dort kein Server.',
      scavenge:
        'Was getan ist, bleibt, und nichts halb Geschriebenes ist in Gebrauch. Der nächste Scavenge setzt dort fort.',
      undo: 'Die Rücknahme ist vielleicht nicht abgeschlossen: in der Ansicht Scavenge des Nodes abschließen. Bis dahin startet dort kein Server.',
      repair: 'Jede Datei hat ihre alte oder ihre neue Form. Noch einmal starten, um es abzuschließen.',
      extract:
        'Unter dem endgültigen Namen bleibt nichts. Dieselbe Anforderung setzt mit dem Vorhandenen fort.',
      backup: 'Das nächste Backup setzt mit dem Kopierten fort.',
      eraseInBackup:
        'Die alte Generation des Backups ist unversehrt. Noch einmal darin löschen, um die neue zu erzeugen.',
      rekey:
        'Jedes Backup hat seine alten Schlüssel oder die neuen. Noch einmal starten, um es abzuschließen.',
      prune: 'Backups, die noch aufgeführt sind, sind unversehrt.',
      other: 'An der Datenbank wurde nichts geändert.'
    }
  },
  notices: {
    failed: (code: string) => `Fehlgeschlagen: ${code}. Das Fenster zeigt, wie es weitergeht.`,
    stopped: 'Angehalten. Was getan ist, bleibt.',
    done: 'Fertig.'
  },
  crash: {
    message: 'Die Seite dieses Fensters stürzt immer wieder ab',
    detail: (reason: string) =>
      `Der letzte Grund war „${reason}“. Laufende Arbeit geht weiter, ihr Ergebnis bleibt erhalten.`,
    reload: 'Seite neu laden',
    leave: 'Lassen'
  }
} satisfies WindowTexts;
