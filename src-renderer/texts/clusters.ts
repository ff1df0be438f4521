/** Texts of clusters, of running nodes and of one node's own page. */
import { counted } from '../format/count.ts';

export const clustersTexts = {
  clusters: {
    title: 'Clusters',
    menuOf: (name: string) => `Actions for ${name}`,
    health: {
      healthy: 'all members are up',
      incomplete: 'some members are missing',
      unreachable: 'unreachable',
      unknown: 'not checked yet'
    },
    healthWord: { healthy: 'live', incomplete: 'partial', unreachable: 'unreachable', unknown: '' },
    memberWord: { alive: 'live', dead: 'unreachable', unknown: '' },
    local: 'stopped nodes on this machine',
    remote: 'running nodes, reached over HTTP',

    menu: {
      open: 'Open',
      newCluster: 'New cluster…',
      newClusterWith: 'New cluster with this node…',
      addRemote: 'Add a running cluster…',
      moveTo: 'Move to',
      takeOut: 'Remove from cluster',
      rename: 'Rename…',
      node: 'Node properties',
      extract: 'Extract and give away…',
      schedule: 'Schedule',
      forgetNode: 'Remove from the list',
      forgetCluster: 'Remove cluster…',
      removeMember: 'Remove this member'
    },

    ask: {
      cancel: 'Cancel',
      newCluster: 'New cluster of stopped nodes',
      newClusterHint:
        'Its schedule scavenges the members one after the other. Nothing is written to their directories now.',
      name: 'Name',
      nameHint: 'Letters, digits, dots, hyphens and underscores.',
      nameFault: 'A name has letters, digits, dots, hyphens and underscores, at most 60.',
      members: 'Members',
      noneFree: 'Every node is already in a cluster.',
      create: 'Create cluster',
      newRemote: 'Add a running cluster',
      newRemoteHint:
        'Winnow uses the HTTP API of its nodes. One address is enough; the others follow from gossip. The files of these nodes are not read.',
      url: 'Address of a node',
      addressFaults: {
        none: 'This is not an address. Write https:// or http://, then the host and the port of a node: https://node-1.example:2113.',
        scheme: (scheme: string) =>
          `A node is not called over ${scheme}. Write https:// or http://, then its host and port: https://node-1.example:2113.`,
        more: (address: string) => `Leave out user, path and query: ${address}.`
      },
      urlExample: 'https://node-1.example:2113',
      size: 'Expected members (ClusterSize)',
      user: 'User',
      password: 'Password',
      accessHint: 'A user in $ops or $admins, which may scavenge. The password is not shown again.',
      add: 'Add',
      rename: (name: string) => `Rename ${name}`,
      save: 'Rename',
      forgetCluster: (name: string) => `Remove ${name}?`,
      forgetClusterConsequence: 'Remove cluster',
      forgetClusterHint:
        'Its schedule no longer runs and its password is deleted. Nodes, directories and the history of the schedule remain.'
    },

    view: {
      members: 'Members',
      directory: 'Data directory',
      scavenge: 'Scavenge',
      schedule: 'Schedule',
      overview: 'Members',
      parts: 'Parts of the cluster',
      size: (present: number, wanted: number, replicas = 0) =>
        `${present} of ${wanted} members known` +
        (replicas === 0 ? '' : `, and ${counted(replicas, 'read-only replica')}`),
      access: 'Access',
      accessHint: 'User and password are sent only to the nodes of this cluster and are never shown again.',
      user: 'User',
      newPassword: 'New password',
      keep: 'unchanged',
      saveAccess: 'Save access',
      passwordPlace: {
        none: 'No password is stored.',
        keyChain: 'The password is in the key chain of the system.',
        file: 'The password is in a file that only its owner can read, because the system offers no key chain.',
        environment: 'The password comes from the environment.'
      },
      authority: 'Certificate authority',
      systemAuthorities: 'system default',
      chooseAuthority: 'Choose a certificate (PEM)…',
      forgetAuthority: 'Use system default',
      address: 'Additional address',
      addAddress: 'Add address',
      removeMember: (name: string) => `Remove ${name} from the cluster`,
      try: 'Test access',
      trying: 'Calling its nodes…',
      tried: 'Answers of its nodes',
      works: 'Access works: the nodes answer and accept the user.',
      rename: 'Rename…',
      forget: 'Remove cluster…',
      openNode: 'Open',
      start: 'Start scavenge',
      stop: 'Stop scavenge',
      idle: 'none',
      running: (id: string) => `running (${id.slice(0, 8)})`,
      last: (result: string) => `last: ${result}`,
      lastSince: (id: string) => `The last one since the node started: ${id}`,
      notKnown: 'not known',
      filesElsewhere:
        'The files of these nodes are not on this machine. This view shows what the nodes report over HTTP.',
      ownFiles: 'Each member is a directory on this machine. Open one to see its database.'
    },

    node: {
      title: (name: string) => `Node ${name}`,
      facts: 'Facts',
      directory: 'Data directory',
      index: 'Index directory',
      configuration: 'Server configuration',
      target: 'Backup target',
      noTarget: 'not set',
      choose: 'Choose backup target…',
      cluster: 'Cluster',
      noCluster: 'none; it is scheduled as a cluster of one',
      inside: 'inside the data directory',
      state: 'Health',
      lastScavenge: 'Last scavenge',
      lastBackup: 'Last backup',
      lastVerify: 'Last verification',
      never: 'never',
      atTheLatest: 'at the latest',
      notKnown: 'not known',
      noneYet: 'none known to Winnow',
      free: 'Free on its volume',
      nature: 'Single node or member of a cluster?',
      natureHint:
        'The logs of the members of a cluster must stay equal. Winnow writes a scavenge point only to the log of a single node.',
      single: 'Single node',
      member: 'Member of a cluster',
      natures: {
        saidSingle: 'You set it to single node.',
        saidMember: 'You set it to member of a cluster.',
        sizeOne: 'Its configuration has ClusterSize 1, so it is treated as a single node.',
        sizeMore: (size: number) =>
          `Its configuration has ClusterSize ${size}, so it is treated as a member.`,
        inCluster: (name: string) => `It belongs to the cluster ${name}, so it is treated as a member.`,
        unknown: 'Not known, so it is treated as a member of a cluster.'
      },
      service: 'Admin API of this node',
      serviceHint:
        'While it is open, the window can serve this node over HTTP as "winnow serve" does, with log-in, roles and metrics.',
      host: 'Address',
      port: 'Port',
      anyPort: '0: any free port',
      start: 'Start service',
      stop: 'Stop service',
      states: {
        stopped: 'Not running',
        starting: 'Starting…',
        running: 'Running at',
        stopping: 'Stopping…',
        failed: 'Failed to start'
      },
      users: (count: number) => (count === 1 ? 'One user can log in.' : `${count} users can log in.`),
      passwordFile:
        'There were no users, so an administrator was created. Until the first log-in the password is in',
      copy: 'Copy',
      openToAll: 'Other machines can reach this address.'
    },

    palette: {
      newCluster: 'New cluster of stopped nodes…',
      newRemote: 'Add a running cluster…',
      renameNode: 'Rename node…',
      forgetNode: 'Remove this node from the list',
      takeOut: 'Remove node from cluster',
      thisNode: 'Node properties',
      renameCluster: 'Rename cluster…',
      forgetCluster: 'Remove cluster…',
      moveTo: (cluster: string) => `Move node to cluster ${cluster}`,
      cluster: 'cluster'
    },

    drop: 'Drop a data directory or a server configuration to open it'
  }
} as const;
