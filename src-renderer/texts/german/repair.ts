/** The German texts of `../repair.ts`, which says what each is for. */
import type { repairTexts as english } from '../repair.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

export const repairTexts = {
  repair: {
    moreHint: 'Netzfreigaben',
    title: 'Reparatur',
    repair: 'Reparieren…',
    repairThis: (code: string) => `Reparatur von ${code} planen`,
    rebuild: 'Index neu aufbauen…',
    repairAll: 'Reparatur planen',
    repairAllHint:
      'Erzeugt neu, was sich ableiten lässt, und schiebt Dateien beiseite, die nicht dazugehören. Erfindet nie Daten und löscht nichts; Sie sehen zuerst den Plan.',
    usesBackups: 'Beschädigte und fehlende Chunks aus einem Backup nehmen',
    whichBackup: 'Welches Backup',
    newestBackup: (backup: string) => `Das neueste: ${backup}`,
    give: 'Backup angeben…',
    given: 'Beschädigte und fehlende Chunks nehmen aus',
    giveKey: 'Schlüsseldatei…',
    takeBack: 'Ohne',
    acceptLoss: 'Log kürzen, wo Schäden es verlangen',
    acceptLossHint: 'Records hinter dem Schaden gehen verloren. Der Plan führt sie vorher auf.',
    inUse: 'Ein laufender Server hält dieses Verzeichnis. Zuerst den Server anhalten.',
    leave: 'Plan verwerfen',
    close: 'Schließen',
    stopped: 'Angehalten. Jede Datei hat ihre alte oder ihre neue Form.',
    repairPlan: {
      title: 'Reparaturplan',
      nothing: 'Hier kann eine Reparatur nichts tun.',
      summary: (files: string) => `${files} würden geändert. Nichts wird gelöscht.`,
      quick:
        'Aus Checkpoints, Namen und Köpfen der Dateien erstellt; Chunks und Indextabellen wurden dafür nicht gelesen. Die Reparatur liest sie, bevor sie schreibt.',
      basis: (time: string) =>
        `Nach der Prüfung von ${time}: Keine Datei hat sich seither geändert. Die Reparatur prüft noch einmal, bevor sie schreibt.`,
      does: 'Schritte, in dieser Reihenfolge',
      unrepaired: 'Was nicht repariert wird',
      lost: (records: string, from: string, to: string, streams: string) =>
        `${records} noch lesbar zwischen den Positionen ${from} und ${to}, aus ${streams}`,
      start: (files: string) => `${files} reparieren`,
      confirmTitle: (node: string) => `${node} reparieren?`,
      confirm: (files: string) =>
        `Schreibt oder verschiebt ${files}, wie geplant. Verschobene Dateien kommen in einen Ordner neben dem Datenverzeichnis.`,
      confirmLoss: 'Das Log wird wie geplant gekürzt: Die Records dahinter gehen verloren.'
    },
    repaired: {
      ok: 'Repariert: Es ist kein Schaden übrig.',
      notOk: 'Wie geplant repariert; es ist noch Schaden übrig.',
      aside: 'Verschobene Dateien liegen in',
      did: 'Was getan wurde'
    },
    rebuildPlan: {
      title: 'Plan des Neuaufbaus',
      entries: 'Einträge',
      estimate: 'geschätzt',
      size: 'Neuer Index',
      needed: 'Vorübergehender Platz',
      removes: 'Ersetzt',
      start: 'Index neu aufbauen',
      confirmTitle: (node: string) => `Index von ${node} neu aufbauen?`,
      confirm: 'Der Index wird aus dem Log neu aufgebaut. Das Log selbst wird nur gelesen.'
    },
    change: {
      missing: 'fehlt',
      away: 'beiseite geschoben',
      at: (offset: string) => `Offset ${offset}`,
      zeros: (offset: string) => `Nullen ab Offset ${offset}`,
      fromLog: 'aus dem Log neu geschrieben',
      from: (file: string) => `aus ${file} neu geschrieben`,
      becomes: 'wird'
    },
    rebuilt: (entries: string) => `Der Index wurde neu aufgebaut: ${entries}.`
  }
} satisfies Translation<typeof english>;
