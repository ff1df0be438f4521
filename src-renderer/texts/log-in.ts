/** Texts of the page in a browser: the log-in, and what the window does not need to say. */
export const logInTexts = {
  logIn: {
    title: 'Winnow',
    intro: 'Log in as a user of this service.',
    name: 'User',
    password: 'Password',
    submit: 'Log in',
    checking: 'Checking…',
    wrong: 'No user of that name has that password.',
    throttled: (seconds: string) => `Too many wrong attempts from this address. Try again in ${seconds} s.`,
    lost: 'The service does not answer. Try again in a moment.',
    kept: 'Work goes on meanwhile. After the log-in you are back where you were.',
    users: 'Users are made on the machine of the service: winnow user add NAME --role ops'
  },
  connection: {
    lost: 'The service does not answer',
    explained:
      'It has ended or cannot be reached; it is asked again every few seconds. What is shown is as of before.',
    logOut: (user: string) => `Log out ${user}`,
    served: 'Served here',
    noTarget: 'In a browser none can be chosen: do it in the window on the machine of the service.',
    needsRole: 'Changing anything needs a role ($ops or $admins), which this user does not have.',
    readOnly: 'looking only',
    readOnlyHint: 'This user has no role: everything can be looked at and verified, nothing changed.'
  }
} as const;
