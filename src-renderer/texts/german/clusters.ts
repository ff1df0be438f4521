/** The German texts of `../clusters.ts`, which says what each is for. */
import { counted } from '../../format/count.ts';
import type { clustersTexts as english } from '../clusters.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

export const clustersTexts = {
  clusters: {
    title: 'Cluster',
    menuOf: (name: string) => `Aktionen für ${name}`,
    health: {
      healthy: 'alle Mitglieder laufen',
      incomplete: 'einige Mitglieder fehlen',
      unreachable: 'nicht erreichbar',
      unknown: 'noch nicht geprüft'
    },
    healthWord: { healthy: 'live', incomplete: 'teilweise', unreachable: 'nicht erreichbar', unknown: '' },
    memberWord: { alive: 'live', dead: 'nicht erreichbar', unknown: '' },
    local: 'angehaltene Nodes auf diesem Rechner',
    remote: 'laufende Nodes, über HTTP erreicht',

    menu: {
      open: 'Öffnen',
      newCluster: 'Neuer Cluster…',
      newClusterWith: 'Neuer Cluster mit diesem Node…',
      addRemote: 'Laufenden Cluster hinzufügen…',
      moveTo: 'Verschieben nach',
      takeOut: 'Aus dem Cluster nehmen',
      rename: 'Umbenennen…',
      node: 'Eigenschaften des Nodes',
      extract: 'Auszug und Weitergabe…',
      schedule: 'Zeitplan',
      forgetNode: 'Aus der Liste nehmen',
      forgetCluster: 'Cluster entfernen…',
      removeMember: 'Dieses Mitglied entfernen'
    },

    ask: {
      cancel: 'Abbrechen',
      newCluster: 'Neuer Cluster aus angehaltenen Nodes',
      newClusterHint:
        'Sein Zeitplan führt den Scavenge der Mitglieder nacheinander aus. In ihre Verzeichnisse wird jetzt nichts geschrieben.',
      name: 'Name',
      nameHint: 'Buchstaben, Ziffern, Punkte, Bindestriche und Unterstriche.',
      nameFault: 'Ein Name hat Buchstaben, Ziffern, Punkte, Bindestriche und Unterstriche, höchstens 60.',
      members: 'Mitglieder',
      noneFree: 'Jeder Node ist schon in einem Cluster.',
      create: 'Cluster anlegen',
      newRemote: 'Laufenden Cluster hinzufügen',
      newRemoteHint:
        'Winnow nutzt die HTTP-API der Nodes. Eine Adresse genügt; die anderen ergeben sich aus dem Gossip. Die Dateien dieser Nodes werden nicht gelesen.',
      url: 'Adresse eines Nodes',
      addressFaults: {
        none: 'Das ist keine Adresse. Erst https:// oder http://, dann Host und Port eines Nodes: https://node-1.example:2113.',
        scheme: (scheme: string) =>
          `Ein Node wird nicht über ${scheme} angesprochen. Erst https:// oder http://, dann Host und Port: https://node-1.example:2113.`,
        more: (address: string) => `Benutzer, Pfad und Query weglassen: ${address}.`
      },
      urlExample: 'https://node-1.example:2113',
      size: 'Erwartete Mitglieder (ClusterSize)',
      user: 'Benutzer',
      password: 'Passwort',
      accessHint:
        'Ein Benutzer in $ops oder $admins, der Scavenges ausführen darf. Das Passwort wird nicht mehr angezeigt.',
      add: 'Hinzufügen',
      rename: (name: string) => `${name} umbenennen`,
      save: 'Umbenennen',
      forgetCluster: (name: string) => `${name} entfernen?`,
      forgetClusterConsequence: 'Cluster entfernen',
      forgetClusterHint:
        'Sein Zeitplan läuft nicht mehr, und sein Passwort wird gelöscht. Nodes, Verzeichnisse und der Verlauf des Zeitplans bleiben.'
    },

    view: {
      members: 'Mitglieder',
      directory: 'Datenverzeichnis',
      scavenge: 'Scavenge',
      schedule: 'Zeitplan',
      overview: 'Mitglieder',
      parts: 'Teile des Clusters',
      size: (present: number, wanted: number, replicas = 0) =>
        `${present} von ${wanted} Mitgliedern bekannt` +
        (replicas === 0 ? '' : `, dazu ${counted(replicas, 'Read-only Replica', 'Read-only Replicas')}`),
      access: 'Zugang',
      accessHint:
        'Benutzer und Passwort gehen nur an die Nodes dieses Clusters und werden nicht mehr angezeigt.',
      user: 'Benutzer',
      newPassword: 'Neues Passwort',
      keep: 'unverändert',
      saveAccess: 'Zugang speichern',
      passwordPlace: {
        none: 'Es ist kein Passwort gespeichert.',
        keyChain: 'Das Passwort liegt im Schlüsselbund des Systems.',
        file: 'Das Passwort liegt in einer Datei, die nur ihr Besitzer lesen kann, weil das System keinen Schlüsselbund bietet.',
        environment: 'Das Passwort kommt aus der Umgebung.'
      },
      authority: 'Zertifizierungsstelle',
      systemAuthorities: 'Vorgabe des Systems',
      chooseAuthority: 'Zertifikat wählen (PEM)…',
      forgetAuthority: 'Vorgabe des Systems verwenden',
      address: 'Weitere Adresse',
      addAddress: 'Adresse hinzufügen',
      removeMember: (name: string) => `${name} aus dem Cluster nehmen`,
      try: 'Zugang testen',
      trying: 'Nodes werden angesprochen…',
      tried: 'Antworten der Nodes',
      works: 'Der Zugang funktioniert: Die Nodes antworten und akzeptieren den Benutzer.',
      rename: 'Umbenennen…',
      forget: 'Cluster entfernen…',
      openNode: 'Öffnen',
      start: 'Scavenge starten',
      stop: 'Scavenge anhalten',
      idle: 'keiner',
      running: (id: string) => `läuft (${id.slice(0, 8)})`,
      last: (result: string) => `letzter: ${result}`,
      lastSince: (id: string) => `Der letzte seit dem Start des Nodes: ${id}`,
      notKnown: 'nicht bekannt',
      filesElsewhere:
        'Die Dateien dieser Nodes liegen nicht auf diesem Rechner. Diese Ansicht zeigt, was die Nodes über HTTP melden.',
      ownFiles:
        'Jedes Mitglied ist ein Verzeichnis auf diesem Rechner. Eines öffnen, um seine Datenbank zu sehen.'
    },

    node: {
      title: (name: string) => `Node ${name}`,
      facts: 'Angaben',
      directory: 'Datenverzeichnis',
      index: 'Indexverzeichnis',
      configuration: 'Serverkonfiguration',
      target: 'Backup-Ziel',
      noTarget: 'nicht gesetzt',
      choose: 'Backup-Ziel wählen…',
      cluster: 'Cluster',
      noCluster: 'keiner; der Zeitplan behandelt ihn als Cluster aus einem Node',
      inside: 'im Datenverzeichnis',
      state: 'Zustand',
      lastScavenge: 'Letzter Scavenge',
      lastBackup: 'Letztes Backup',
      lastVerify: 'Letzte Prüfung',
      never: 'nie',
      atTheLatest: 'spätestens',
      notKnown: 'nicht bekannt',
      noneYet: 'Winnow ist keines bekannt',
      free: 'Frei auf seinem Volume',
      nature: 'Einzelner Node oder Mitglied eines Clusters?',
      natureHint:
        'Die Logs der Mitglieder eines Clusters müssen gleich bleiben. Winnow schreibt einen Scavenge Point nur in das Log eines einzelnen Nodes.',
      single: 'Einzelner Node',
      member: 'Mitglied eines Clusters',
      natures: {
        saidSingle: 'Sie haben ihn als einzelnen Node eingestellt.',
        saidMember: 'Sie haben ihn als Mitglied eines Clusters eingestellt.',
        sizeOne: 'Seine Konfiguration hat ClusterSize 1, also gilt er als einzelner Node.',
        sizeMore: (size: number) => `Seine Konfiguration hat ClusterSize ${size}, also gilt er als Mitglied.`,
        inCluster: (name: string) => `Er gehört zum Cluster ${name}, also gilt er als Mitglied.`,
        unknown: 'Nicht bekannt, also gilt er als Mitglied eines Clusters.'
      },
      service: 'Admin-API dieses Nodes',
      serviceHint:
        'Solange das Fenster offen ist, kann es diesen Node über HTTP bereitstellen wie „winnow serve“, mit Anmeldung, Rollen und Metriken.',
      host: 'Adresse',
      port: 'Port',
      anyPort: '0: irgendein freier Port',
      start: 'Dienst starten',
      stop: 'Dienst anhalten',
      states: {
        stopped: 'Läuft nicht',
        starting: 'Startet…',
        running: 'Läuft unter',
        stopping: 'Hält an…',
        failed: 'Start fehlgeschlagen'
      },
      users: (count: number) =>
        count === 1 ? 'Ein Benutzer kann sich anmelden.' : `${count} Benutzer können sich anmelden.`,
      passwordFile:
        'Es gab keine Benutzer, daher wurde ein Administrator angelegt. Bis zur ersten Anmeldung steht das Passwort in',
      copy: 'Kopieren',
      openToAll: 'Andere Rechner können diese Adresse erreichen.'
    },

    palette: {
      newCluster: 'Neuer Cluster aus angehaltenen Nodes…',
      newRemote: 'Laufenden Cluster hinzufügen…',
      renameNode: 'Node umbenennen…',
      forgetNode: 'Diesen Node aus der Liste nehmen',
      takeOut: 'Node aus dem Cluster nehmen',
      thisNode: 'Eigenschaften des Nodes',
      renameCluster: 'Cluster umbenennen…',
      forgetCluster: 'Cluster entfernen…',
      moveTo: (cluster: string) => `Node in den Cluster ${cluster} verschieben`,
      cluster: 'Cluster'
    },

    drop: 'Ein Datenverzeichnis oder eine Serverkonfiguration zum Öffnen hier ablegen'
  }
} satisfies Translation<typeof english>;
