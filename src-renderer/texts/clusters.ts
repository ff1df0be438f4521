/** Texts of clusters, of running nodes and of one node's own page. */
export const clustersTexts = {
  clusters: {
    title: 'Clusters',
    menuOf: (name: string) => `What can be done with ${name}`,
    health: {
      healthy: 'all members are there',
      incomplete: 'not all members are there',
      unreachable: 'unreachable',
      unknown: 'not looked at yet'
    },
    healthWord: { healthy: 'live', incomplete: 'partly', unreachable: 'unreachable', unknown: '' },
    memberWord: { alive: 'live', dead: 'unreachable', unknown: '' },
    local: 'stopped nodes of this machine',
    remote: 'running nodes, reached by their addresses',

    menu: {
      open: 'Open',
      newCluster: 'New cluster of nodes…',
      newClusterWith: 'New cluster with this node…',
      addRemote: 'Add a running cluster…',
      moveTo: 'Move to',
      takeOut: 'Take out of its cluster',
      rename: 'Rename…',
      node: 'This node: nature, service, facts',
      schedule: 'Auto-scavenge',
      forgetNode: 'Remove from this list…',
      forgetCluster: 'Take the cluster off the list…',
      removeMember: 'Take this member out'
    },

    ask: {
      cancel: 'Cancel',
      newCluster: 'New cluster of stopped nodes',
      newClusterHint:
        'A schedule scavenges its members one after the other. Nothing is written into their directories now.',
      name: 'Name',
      nameHint: 'Letters, digits, dots, hyphens and underscores.',
      members: 'Members',
      noneFree: 'Every node of the list is in a cluster already.',
      create: 'Create the cluster',
      newRemote: 'Add a running cluster',
      newRemoteHint:
        'Its nodes are reached by their own HTTP API; one address is enough, the others are learnt. Their files are elsewhere and not read.',
      url: 'Address of a node',
      urlExample: 'https://node-1.example:2113',
      size: 'Members it is to have (ClusterSize)',
      user: 'User',
      password: 'Password',
      accessHint:
        'Somebody who may scavenge: a user of the group $ops or $admins. The password is not shown again.',
      add: 'Add',
      rename: (name: string) => `Rename ${name}`,
      save: 'Rename',
      forgetNode: (name: string) => `Remove ${name} from the list`,
      forgetNodeConsequence: 'Remove from the list',
      forgetNodeHint: 'The database and its backups stay as they are. It can be opened again.',
      forgetCluster: (name: string) => `Take ${name} off the list`,
      forgetClusterConsequence: 'Take off the list',
      forgetClusterHint:
        'Its schedule does not run any more and its password is forgotten. Nodes, directories and the history of the schedule stay.'
    },

    view: {
      members: 'Members',
      member: 'Member',
      role: 'Role',
      log: 'End of its log',
      scavenge: 'Scavenge',
      last: 'Last since it was started',
      schedule: 'Auto-scavenge',
      overview: 'Members',
      parts: 'Parts of the cluster',
      size: (present: number, wanted: number) => `${present} of ${wanted} members known`,
      access: 'Access',
      accessHint: 'User and password go to the nodes of this cluster only, and are never shown again.',
      user: 'User',
      newPassword: 'New password',
      keep: 'the one that is there stays',
      saveAccess: 'Save access',
      passwordPlace: {
        none: 'No password is kept.',
        keyChain: 'The password lies in the key chain of the system.',
        file: 'The password lies in a file that only its owner can read: the system offers no key chain.',
        environment: 'The password comes from the environment.'
      },
      authority: 'Certificate authority',
      systemAuthorities: 'those of the system',
      chooseAuthority: 'Choose a certificate (PEM)…',
      forgetAuthority: 'Those of the system again',
      address: 'Another address',
      addAddress: 'Add the address',
      removeMember: (name: string) => `Take ${name} out of the cluster`,
      try: 'Try the access',
      trying: 'Asking its nodes…',
      tried: 'What its nodes answered',
      works: 'It works: the nodes answer and let us in.',
      rename: 'Rename…',
      forget: 'Take off the list…',
      openNode: 'Open',
      start: 'Start a scavenge',
      stop: 'Stop the scavenge',
      idle: 'none',
      running: (id: string) => `runs (${id.slice(0, 8)})`,
      lastEnd: (result: string) => result,
      notKnown: 'not known',
      filesElsewhere:
        'The files of these nodes are elsewhere and not read; what they say over HTTP is shown.',
      ownFiles: 'Each member is a directory of this machine. Open one to look into it.'
    },

    node: {
      title: (name: string) => `The node ${name}`,
      facts: 'Facts',
      directory: 'Data directory',
      index: 'Index directory',
      configuration: 'Server configuration',
      target: 'Backups go to',
      noTarget: 'not chosen yet',
      choose: 'Choose where its backups go…',
      cluster: 'Cluster',
      noCluster: 'none; its schedule is that of a cluster of one',
      inside: 'inside the data directory',
      state: 'State',
      lastScavenge: 'Last scavenge',
      lastBackup: 'Last backup',
      lastVerify: 'Last verification',
      never: 'never',
      notKnown: 'not known',
      noneYet: 'none that Winnow knows of',
      free: 'Free on its volume',
      findings: 'Findings',
      nature: 'Single node or member of a cluster?',
      natureHint:
        'The logs of the members of a cluster must not come to differ. Only a single node is given a scavenge point of its own in its log.',
      single: 'It is a single node',
      member: 'It is a member of a cluster',
      natures: {
        saidSingle: 'You said that it is a single node.',
        saidMember: 'You said that it is a member of a cluster.',
        sizeOne: 'Its configuration says ClusterSize 1: it counts as a single node.',
        sizeMore: (size: number) => `Its configuration says ClusterSize ${size}: it counts as a member.`,
        unknown: 'Nobody has said it: it counts as a member of a cluster.'
      },
      service: 'Admin API of this node',
      serviceHint:
        'The window can answer for this node over HTTP, as "winnow serve" does: with log-in, roles and metrics, while it is open.',
      host: 'Address',
      port: 'Port',
      anyPort: '0: any free one',
      start: 'Serve this node',
      stop: 'Stop serving',
      states: {
        stopped: 'It is not served.',
        starting: 'It starts…',
        running: 'It is served at',
        stopping: 'It ends…',
        failed: 'It could not be started.'
      },
      users: (count: number) => (count === 1 ? 'One user can log in.' : `${count} users can log in.`),
      passwordFile:
        'Nobody could log in, so an administrator was made. Until the first log-in the password is in',
      copy: 'Copy',
      openToAll: 'Other machines can reach this address.'
    },

    palette: {
      newCluster: 'New cluster of stopped nodes…',
      newRemote: 'Add a running cluster…',
      renameNode: 'Rename this node…',
      forgetNode: 'Remove this node from the list…',
      takeOut: 'Take this node out of its cluster',
      thisNode: 'This node: nature, service, facts',
      renameCluster: 'Rename this cluster…',
      forgetCluster: 'Take this cluster off the list…',
      moveTo: (cluster: string) => `Move this node to the cluster ${cluster}`,
      cluster: 'cluster'
    },

    drop: 'Drop a data directory or a server configuration to open it'
  }
} as const;
