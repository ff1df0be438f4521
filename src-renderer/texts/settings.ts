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
    themes: { system: 'Same as the system', light: 'Light', dark: 'Dark' },
    numbers: 'Numbers',
    language: 'Language',
    languages: { system: 'Same as the system', en: 'English', de: 'Deutsch' },
    languageHint: 'The page is loaded again. Running work continues.',
    numberStyles: {
      language: 'Same as the language',
      comma: '1,234,567.8',
      point: '1.234.567,8',
      space: '1 234 567,8',
      apostrophe: '1’234’567.8'
    },
    size: 'Zoom',
    larger: 'Larger',
    smaller: 'Smaller',
    resetZoom: 'Reset',
    percent: (percent: number) => `${percent} %`,
    sizeHint: 'Ctrl and plus, minus or 0 work in every view.',
    motion: 'Reduce motion',
    motionHint: 'Even if the system does not ask for it. Animations here last a tenth of a second.',
    notices: 'Notify me when long operations finish',
    noticesHint:
      'Shows a system notification when an operation of more than 30 seconds finishes while this window is in the background.',

    nodeIntro:
      'The settings as Winnow reads them from the configuration file and the environment. A server may have others on its own command line, which Winnow cannot see.',
    ofFile: (file: string) => `Configuration file: ${file}`,
    noFile: 'This node was opened by its directory, so only defaults and the environment apply.',
    noNode: 'No node is open. These are the defaults and the environment.',
    search: 'Find a setting',
    onlySet: 'Only settings that are set',
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
    nothing: 'No setting has that name.',

    licenceIntro: 'Auto-scavenge needs a licence. Everything else works without one.',
    licenceValid: 'Valid',
    licenceInvalid: 'Not valid',
    licenceNone: 'None',
    licenceHolder: 'Holder',
    licenceUntil: 'Expires',
    licenceFrom: 'Source',
    licenceFroms: {
      evaluation: 'the evaluation licence',
      file: 'a file',
      key: 'an environment variable, which takes precedence'
    },
    licenceState: 'State',
    licenceEvaluation: 'Use the evaluation licence',
    licenceFile: 'Choose a licence file…',
    licenceForget: 'Remove licence',

    usersIntro:
      'Who may log in to the node service: the HTTP API of “winnow serve” and of nodes that this window serves. Changes take effect at once.',
    usersFile: (file: string) => `Stored in ${file}`,
    noUsers:
      'There are no users. A service that starts without users creates an administrator and says where the password is.',
    user: 'User',
    role: 'Role',
    change: 'Change',
    roles: { admin: 'Administrator', ops: 'Operator', none: 'Read only' },
    password: 'Password',
    passwordHint: '8 to 1000 characters',
    addUser: 'Add user',
    newPassword: 'New password…',
    newPasswordFor: (name: string) => `New password for ${name}`,
    setPassword: 'Set password',
    cancel: 'Cancel',
    remove: 'Remove',
    removeUser: (name: string) => `Remove ${name}`,
    removeTitle: (name: string) => `Remove the user ${name}?`,
    removeText: 'The user can no longer log in. Open sessions end with their next request.',
    passwordSet: (name: string) => `The password of ${name} was changed.`,

    targetsIntro: 'Where the backups of each node are stored. Every backup of the node uses its target.',
    noTarget: 'not set',
    node: 'Node',
    target: 'Target',
    endpoint: 'Endpoint',
    chooseDirectory: 'Choose a directory…',
    forgetTarget: 'Remove',
    targetForgotten: (name: string) =>
      `${name} has no backup target any longer. Its backups stay where they are.`,
    objectStore: 'Object store…',
    noNodes: 'No nodes yet. Open a data directory first.'
  }
} as const;
