/** Texts of the settings. */
export const settingsTexts = {
  settings: {
    title: 'Settings',
    sections: {
      appearance: 'Appearance',
      node: 'Node settings',
      licence: 'Licence',
      users: 'Users',
      targets: 'Backup targets'
    },

    theme: 'Theme',
    themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
    numbers: 'Numbers',
    numberStyles: {
      comma: '1,234,567.8',
      point: '1.234.567,8',
      space: '1 234 567,8',
      apostrophe: '1’234’567.8'
    },
    size: 'Size of the page',
    larger: 'Larger',
    smaller: 'Smaller',
    asMade: 'As made',
    percent: (percent: number) => `${percent} %`,
    sizeHint: 'Ctrl and plus, minus or 0 anywhere.',
    motion: 'Nothing moves',
    motionHint: 'Also where the system asks for nothing. What moves here lasts a tenth of a second.',
    notices: 'Tell me when long work ends',
    noticesHint:
      'A notice of the system when work of more than 30 seconds ends while this window is not in front.',

    nodeIntro:
      'What a configuration file and the environment say to Winnow, as it reads them. A server reads more; what it has on its own command line is not known here.',
    ofFile: (file: string) => `Configuration file: ${file}`,
    noFile: 'This node was opened by its directory: there are only defaults and the environment.',
    noNode: 'No node is shown: these are the defaults and the environment.',
    search: 'Find a setting',
    onlySet: 'Only what is set',
    count: (shown: string, all: string) => `${shown} of ${all}`,
    columns: {
      name: 'Setting',
      value: 'Value',
      source: 'Source',
      default: 'Default',
      meaning: 'Meaning'
    },
    notSet: 'not set',
    sources: {
      default: 'default',
      file: 'file',
      environment: 'environment',
      commandLine: 'command line'
    },
    deprecated: (why: string) => `Deprecated: ${why}.`,
    nothing: 'No setting is called like that.',

    licenceIntro: 'Auto-scavenge needs a licence. Everything else works without one.',
    licenceValid: 'Valid',
    licenceInvalid: 'Not valid',
    licenceNone: 'None',
    licenceHolder: 'Holder',
    licenceUntil: 'Until',
    licenceFrom: 'From',
    licenceFroms: {
      evaluation: 'the evaluation licence',
      file: 'a file',
      key: 'a setting of the environment, which comes first'
    },
    licenceState: 'State',
    licenceEvaluation: 'Use the evaluation licence',
    licenceFile: 'Choose a licence file…',
    licenceForget: 'Use none',

    usersIntro:
      'Who may log in to the node service: the HTTP API of “winnow serve” and of nodes served by this window. A running service sees changes at once.',
    usersFile: (file: string) => `Kept in ${file}`,
    noUsers:
      'There are no users. A service that starts without any makes an administrator and says where its password is.',
    user: 'User',
    role: 'Role',
    roles: { admin: 'Administrator', ops: 'Operator', none: 'May look only' },
    password: 'Password',
    passwordHint: '8 to 1000 characters',
    addUser: 'Add user',
    newPassword: 'New password…',
    newPasswordFor: (name: string) => `New password for ${name}`,
    setPassword: 'Set',
    cancel: 'Cancel',
    removeUser: (name: string) => `Remove ${name}`,
    removeTitle: (name: string) => `Remove the user ${name}?`,
    removeText: 'It can log in no more. Sessions that are open end with their next request.',
    passwordSet: (name: string) => `The password of ${name} was changed.`,

    targetsIntro:
      'Where the backups of each node are kept. A target is chosen once and used by every backup.',
    noTarget: 'none chosen',
    node: 'Node',
    target: 'Target',
    chooseDirectory: 'Choose a directory…',
    objectStore: 'Object store…',
    noNodes: 'No node was opened yet.'
  }
} as const;
