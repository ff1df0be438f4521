/** The German texts of `../backups.ts`, which says what each is for. */
import type { backupsTexts as english } from '../backups.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

export const backupsTexts = {
  backups: {
    title: 'Backups',
    target: 'Backup-Verzeichnis',
    chooseTarget: 'Verzeichnis wählen…',
    changeTarget: 'Verzeichnis ändern…',
    noTarget: 'Dieser Node hat noch kein Backup-Verzeichnis.',
    noTargetHint:
      'Eines außerhalb der Datenbank wählen, am besten auf einer anderen Platte. Es darf schon Backups enthalten, auch von anderen Nodes des Clusters.',
    intro:
      'Ein Backup kopiert die Datenbank, angehalten oder laufend, in einen eigenen Ordner. Jedes lässt sich für sich wiederherstellen, mit Winnow oder durch Kopieren der Dateien.',
    none: 'In diesem Verzeichnis sind noch keine Backups.',
    choose: 'Ein Backup auswählen, um seinen Inhalt zu sehen, es zu prüfen oder wiederherzustellen.',
    reading: 'Katalog wird gelesen…',
    unfinished: (ids: string) => `Unvollständig; der nächste Lauf setzt sie fort oder entfernt sie: ${ids}`,
    damaged: (id: string, message: string) => `${id}: ${message}`,
    list: 'Backups in diesem Verzeichnis',
    columns: {
      when: 'Erstellt',
      kind: 'Art',
      node: 'Node',
      size: 'Größe',
      copied: 'Kopiert',
      verified: 'Geprüft',
      rehearsed: 'Geprobt'
    },
    kinds: { full: 'voll', differential: 'differenziell', snapshot: 'Snapshot' },
    check: {
      ok: (age: string) => `unversehrt, ${age}`,
      damaged: (age: string) => `beschädigt, ${age}`,
      never: 'noch nicht'
    },
    store: {
      choose: 'Objektspeicher…',
      title: 'Objektspeicher',
      location: 'Ort',
      endpoint: 'Endpunkt',
      amazon: 'Amazon S3 oder http(s)://…',
      credentials:
        'Zugangsdaten und Region kommen aus den AWS-Einstellungen dieses Rechners (AWS_ACCESS_KEY_ID, AWS_PROFILE, …). Winnow speichert sie nie.',
      use: 'Diesen Speicher verwenden'
    },
    timeline: 'Backups im Lauf der Zeit',
    legend:
      'Quadrat: voll, Kreis: differenziell. Gefüllt: geprüft oder geprobt; durchgestrichen: beschädigt.',
    legendOfMany:
      'Eine Zahl: so viele Backups; noch ein Klick zeigt das nächste. Gefüllt: alle geprüft oder geprobt; rot: Schaden.',
    marksOf: (number: string, first: string, last: string, check: string) =>
      `${number}, ${first} bis ${last}: ${check}`,
    mark: (time: string, kind: string, check: string) => `${time}: ${kind}, ${check}`,
    marks: { whole: 'geprüft, unversehrt', damaged: 'beschädigt', unknown: 'noch nicht geprüft' },
    compress: 'Komprimieren',
    compressHint: 'Kleiner, aber nur Winnow kann es wiederherstellen; Dateien zu kopieren genügt nicht.',
    mode: 'Art des Backups',
    modes: { auto: 'Differenziell, wo möglich', full: 'Voll', differential: 'Differenziell' },
    plan: 'Backup planen',
    detail: {
      title: (when: string) => `Backup vom ${when}`,
      id: 'ID',
      of: 'Datenbank',
      basedOn: 'Baut auf',
      files: 'Dateien',
      filesValue: (files: string, chunks: string) => `${files}, davon ${chunks} Chunks`,
      log: 'Log endet bei',
      server: 'Server',
      verified: 'Geprüft',
      rehearsed: 'Geprobt',
      quick: 'Nur Namen und Größen prüfen',
      quickHint: 'Dauert einen Moment und beweist weniger: wird nicht als Prüfung gespeichert.',
      scratch: 'Proben in',
      temporary: 'Temporäres Verzeichnis…'
    },
    verify: 'Backup prüfen',
    verifyHint: 'Liest jedes Byte und vergleicht es mit dem Manifest.',
    rehearse: 'Wiederherstellung proben',
    rehearseHint: 'Stellt es in einem temporären Verzeichnis wieder her, prüft alles und entfernt die Kopie.',
    restore: 'Backup wiederherstellen…',
    restoreHint: 'Zeigt zuerst, was ersetzt wird und was verloren geht.',
    running: 'Läuft…',
    stop: 'Anhalten',
    close: 'Schließen',
    leave: 'Plan verwerfen',
    stopped: 'Angehalten.',
    stoppedCreate: 'Angehalten. Das nächste Backup setzt mit dem Kopierten fort.',
    createPlan: {
      title: 'Backup-Plan',
      kind: 'Art',
      basedOn: (id: string) => `baut auf ${id}`,
      resumes: (id: string) => `setzt ${id} fort`,
      files: 'Dateien',
      size: 'Größe',
      toCopy: 'Zu kopieren',
      free: 'Frei',
      start: (bytes: string) => `${bytes} kopieren`,
      notEnough: (target: string, missing: string) =>
        `Nicht genug freier Platz: In ${target} fehlen ${missing}.`,
      makeRoom:
        'Dort Platz schaffen (Ausdünnen entfernt alte Backups) oder ein anderes Verzeichnis wählen, dann neu planen.'
    },
    created: (id: string) => `Das Backup ${id} ist vollständig.`,
    createdHint: 'Es wurde noch nicht geprüft.',
    createdVerified: 'Jedes Byte wurde geprüft.',
    createdStored:
      'Jedes Byte wurde geprüft, so wie es gespeichert ist. Der Inhalt lässt sich nur mit dem Passwort lesen: ab und zu die Wiederherstellung proben.',
    verifyIt: 'Neues Backup prüfen',
    rehearseIt: 'Neues Backup proben',
    restoreIt: 'Wiederherstellen…',
    schedule: {
      title: 'Zeitplan der Backups',
      none: 'Noch kein Zeitplan',
      every: (when: string, kept: string) => (kept === '' ? when : `${when}, behält ${kept}`),
      kept: {
        last: (count: string) => `die letzten ${count}`,
        daily: (count: string) => `${count} tägliche`,
        weekly: (count: string) => `${count} wöchentliche`,
        monthly: (count: string) => `${count} monatliche`
      },
      next: (time: string) => `nächstes ${time}`,
      last: (age: string) => `letztes ${age}`,
      lastAfterMissed: (age: string, missed: number) =>
        `letztes ${age}, nach ${missed} ${missed === 1 ? 'verpassten Termin' : 'verpassten Terminen'}`,
      running: 'läuft gerade',
      week: {
        label: (runs: number) =>
          `Backups der kommenden Woche: ${runs === 1 ? 'ein Backup' : `${runs} Backups`}`,
        runs: 'Backup'
      },
      run: {
        done: (at: string, due: string | null, took: string | null) =>
          `Das letzte endete um ${at}${due === null ? '' : `, geplant für ${due}`}${took === null ? '' : `; Dauer ${took}`}.`,
        failed: (at: string, due: string | null) =>
          `Das letzte schlug um ${at} fehl${due === null ? '' : `, geplant für ${due}`}. Es wurde nichts entfernt.`,
        afterFailure:
          'Der Zeitplan versucht es zum nächsten Termin wieder. Für eines davor auf dieser Seite ein Backup planen.',
        missed: (times: number) =>
          times === 1
            ? 'Ein früherer Termin verging ohne Backup: Winnow war geschlossen oder der Node beschäftigt.'
            : `${times} frühere Termine vergingen ohne Backup: Winnow war geschlossen oder der Node beschäftigt.`
      },
      lastFailed: (why: string) => `letztes fehlgeschlagen: ${why}`,
      says: (when: string, zone: string) => `${when} (${zone})`,
      keeps: 'Behalten',
      explained:
        'Winnow erstellt sie, solange dieses Fenster oder der Dienst dieses Nodes läuft, und holt verpasste Termine einmal nach. Ältere entfernt es erst, wenn jedes Byte des neuen geprüft ist. Alles null: Es entfernt keine.',
      save: 'Zeitplan setzen',
      remove: 'Entfernen'
    },
    rehearsal: {
      label: 'Was die Probe versucht hat',
      names: {
        restored: 'In ein temporäres Verzeichnis wiederhergestellt',
        truncated: 'Gekürzt wie bei einem ersten Start',
        log: 'Log geöffnet und geprüft',
        index: 'Index gegen das Log geprüft',
        streams: 'Letztes Event jedes Streams gelesen'
      },
      restored: (files: string, bytes: string) => `${files}, ${bytes}`,
      truncated: (position: string) => `Log endet bei ${position}`,
      log: (records: string) => records,
      index: (entries: string) => entries,
      streams: (streams: string) => streams,
      failed: (findings: string) => `${findings}, siehe unten`,
      skipped: 'nicht versucht'
    },
    encryption: {
      title: 'Verschlüsselung',
      none: 'Nicht verschlüsselt',
      byFile: (file: string) => `Verschlüsselt: ${file}`,
      byPassword: 'Verschlüsselt: Passwort',
      explained:
        'Die nächsten Backups werden verschlüsselt (age). Ohne den geheimen Schlüssel oder das Passwort kann sie niemand wiederherstellen: auch an anderer Stelle aufbewahren.',
      chooseFile: 'Schlüsseldatei wählen…',
      newFile: 'Schlüsseldatei erzeugen…',
      password: 'Passwort, mindestens 8 Zeichen',
      usePassword: 'Passwort verwenden',
      sealing: 'Schlüssel wird versiegelt…',
      passwordHint:
        'Der geheime Schlüssel bleibt bei den Backups, damit versiegelt. Zum Erstellen wird es nicht gebraucht.',
      dont: 'Nicht verschlüsseln'
    },
    more: {
      title: 'Weitere Optionen',
      own: 'bis zu 4',
      unlimited: 'ohne Grenze',
      threads: 'Dateien gleichzeitig',
      threadsHint: 'Mehr helfen nur auf schnellen Platten.',
      rate: 'Höchstens lesen',
      rateUnit: 'MiB/s',
      rateHint: 'Alle Dateien zusammen.',
      moved: 'Der Node ist umgezogen',
      movedHint: 'Es ist derselbe, in einem anderen Verzeichnis oder unter einer anderen Adresse.',
      server: 'Laufender Server',
      serverHint: 'Wird nach Rolle, Rückstand und Scavenges gefragt; leer: nicht gefragt.',
      user: 'Benutzer des Servers',
      password: 'Passwort des Benutzers',
      passwordGiven: 'angegeben',
      authority: 'Zertifizierungsstelle',
      choose: 'Wählen…',
      stopScavenge: 'Dessen Scavenge anhalten',
      stopScavengeHint: 'Danach wird er wieder gestartet, mit einem Thread und ohne Drosselung.'
    },
    checks: {
      verified: 'Das Backup ist unversehrt.',
      verifiedDamage: 'Das Backup ist beschädigt.',
      rehearsed: 'Die Probe ist bestanden: Das Backup wurde wiederhergestellt, geöffnet und gelesen.',
      rehearsedDamage: 'Die Probe hat Schäden gefunden.',
      checked: (files: string, bytes: string) => `${files}, ${bytes} geprüft.`
    },
    prune: {
      title: 'Aufbewahrung',
      last: 'letzte',
      daily: 'täglich',
      weekly: 'wöchentlich',
      monthly: 'monatlich',
      sentence:
        'Für jeden Node: die letzten Backups sowie das letzte jedes Tages, jeder Woche und jedes Monats.',
      plan: 'Ausdünnen planen',
      unfinished: 'auch unvollständige',
      unfinishedHint: 'Entfernt auch das unvollständige Backup, das der nächste Lauf fortsetzen würde.',
      planTitle: 'Plan des Ausdünnens',
      keeps: (kept: string, goes: string, bytes: string) =>
        `Würde ${kept} behalten, ${goes} entfernen und ${bytes} freigeben`,
      kept: (kept: string, gone: string, bytes: string) =>
        `${kept} behalten, ${gone} entfernt, ${bytes} freigegeben.`,
      nothing: 'Es würde nichts entfernt.',
      goes: 'Würde entfernt',
      leftovers: 'Unvollständige Backups, die auch entfernt würden',
      start: (backups: string) => `${backups} entfernen`,
      confirmTitle: 'Backups entfernen?',
      confirm: (backups: string, bytes: string) =>
        `Entfernt ${backups} endgültig und gibt ${bytes} frei. Daten, die kein anderes Backup enthält, lassen sich danach nicht mehr wiederherstellen.`,
      needsRule: 'Mindestens ein Backup behalten.'
    }
  }
} satisfies Translation<typeof english>;
