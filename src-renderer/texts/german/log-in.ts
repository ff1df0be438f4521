/** The German texts of `../log-in.ts`, which says what each is for. */
import type { logInTexts as english } from '../log-in.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

export const logInTexts = {
  logIn: {
    title: 'Winnow',
    intro: 'Als Benutzer dieses Dienstes anmelden.',
    name: 'Benutzer',
    password: 'Passwort',
    submit: 'Anmelden',
    checking: 'Wird geprüft…',
    wrong: 'Benutzer oder Passwort ist falsch.',
    throttled: (seconds: string) =>
      `Zu viele Fehlversuche von dieser Adresse. In ${seconds} s erneut versuchen.`,
    lost: 'Der Dienst antwortet nicht. Gleich noch einmal versuchen.',
    kept: 'Vorgänge laufen inzwischen weiter. Nach der Anmeldung sind Sie wieder in derselben Ansicht.',
    users: 'Einen Benutzer anlegen: auf dem Rechner des Dienstes winnow user add NAME --role ops ausführen'
  },
  connection: {
    lost: 'Der Dienst antwortet nicht',
    explained:
      'Er ist angehalten oder nicht erreichbar. Winnow versucht es alle paar Sekunden wieder. Was Sie sehen, wurde vor dem Abbruch der Verbindung gelesen.',
    logOut: (user: string) => `${user} abmelden`,
    served: 'Hier bereitgestellt',
    noTarget: 'Ein Operator kann eines wählen.',
    onlyAdministrators: 'Nur Benutzer mit der Rolle $admins verwalten Benutzer.',
    administratorsChooseLicence: 'Nur Benutzer mit der Rolle $admins wählen die Lizenz.',
    settings: 'Die Einstellungen dieses Dienstes, jede mit ihrer Herkunft.',
    needsRole: 'Um etwas zu ändern, braucht dieser Benutzer die Rolle $ops oder $admins.',
    needsRoleToSee: 'Um das zu sehen, braucht dieser Benutzer die Rolle $ops oder $admins.',
    readOnly: 'nur lesen',
    readOnlyHint: 'Dieser Benutzer hat keine Rolle: Er kann alles lesen und prüfen, aber nichts ändern.'
  }
} satisfies Translation<typeof english>;
