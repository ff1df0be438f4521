/** Texts of the page in a browser: the log-in, and what the window does not need to say. */
export const logInTexts = {
  logIn: {
    title: 'Winnow',
    intro: 'Log in as a user of this service.',
    name: 'User',
    password: 'Password',
    submit: 'Log in',
    checking: 'Checking…',
    wrong: 'Wrong user or password.',
    throttled: (seconds: string) => `Too many wrong attempts from this address. Try again in ${seconds} s.`,
    lost: 'The service is not responding. Try again in a moment.',
    kept: 'Operations continue in the meantime. After you log in, you return to the same view.',
    users: 'To add a user, run this on the machine of the service: winnow user add NAME --role ops'
  },
  connection: {
    lost: 'The service is not responding',
    explained:
      'It has stopped or cannot be reached. Winnow retries every few seconds. What you see was read before the connection was lost.',
    logOut: (user: string) => `Log out ${user}`,
    served: 'Served here',
    noTarget: 'An operator can choose one.',
    onlyAdministrators: 'Only users with the role $admins manage users.',
    administratorsChooseLicence: 'Only users with the role $admins choose the licence.',
    settings: 'The settings of this service, each with where it comes from.',
    needsRole: 'This user needs the role $ops or $admins to change anything.',
    needsRoleToSee: 'This user needs the role $ops or $admins to see this.',
    readOnly: 'read only',
    readOnlyHint: 'This user has no role and can read and verify everything but change nothing.'
  }
} as const;
