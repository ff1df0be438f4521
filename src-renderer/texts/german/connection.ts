/** The German texts of `../connection.ts`, which says what each is for. */
import type { connectionTexts as english } from '../connection.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

export const connectionTexts = {
  unanswered: {
    reload: 'Fenster neu laden (Strg+R). Laufende Arbeit geht weiter.',
    gone: 'Der Dienst antwortet nicht.',
    goneHint:
      'Ob die Anfrage angekommen ist, ist nicht bekannt: Sobald er wieder da ist, nachsehen, was läuft.',
    sessionEnded: 'Die Sitzung war abgelaufen. Es ist nichts geschehen.',
    sessionEndedHint: 'Anmelden und noch einmal versuchen.',
    stopped: 'Die Anfrage wurde abgebrochen.',
    stoppedHint: 'Noch einmal anfragen.',
    status: (status: number) => `Der Dienst hat mit dem Status ${status} geantwortet.`,
    statusHint: 'Näheres steht in seinem Log.',
    tooLong: 'Die Datei ist länger als 64 KiB.',
    tooLongHint: 'Eine andere Datei wählen.',
    noCopy: 'Der Browser lässt diese Seite nicht kopieren.',
    noCopyHint: 'Den Text markieren und selbst kopieren, oder den Dienst über TLS aufrufen.'
  }
} satisfies Translation<typeof english>;
