/** The German texts of `../about.ts`, which says what each is for. */
import { counted } from '../../format/count.ts';
import type { aboutTexts as english } from '../about.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

export const aboutTexts = {
  about: {
    title: 'Über Winnow',
    intro:
      'Eine Werkbank für die Wartung von KurrentDB- und EventStoreDB-Datenbanken. Über das Netz spricht sie nur mit Nodes und Objektspeichern, die Sie nennen.',
    versions: 'Versionen',
    formats: 'Unterstützte Formate',
    copy: 'Versionen kopieren',
    libraries: (count: number) => counted(count, 'enthaltene Bibliothek', 'enthaltene Bibliotheken'),
    noLibraries:
      'Diesem Build fehlt die Liste der Bibliotheken: Er wurde nicht mit „npm run build“ erstellt.',
    library: 'Bibliothek',
    version: 'Version',
    licence: 'Lizenz',
    search: 'Bibliothek oder Lizenz suchen',
    licenceText: (name: string) => `Lizenz von ${name}`,
    chooseLibrary: 'Eine Bibliothek auswählen, um ihre Lizenz zu lesen.',
    bill: 'Stückliste (SBOM)',
    billCount: (count: number) =>
      `${counted(count, 'Komponente', 'Komponenten')} im CycloneDX-Format, aus dem Lockfile erzeugt.`,
    noBill: 'Dieser Build hat keine Stückliste.',
    saveBill: 'Stückliste speichern…',
    saved: (file: string) => `Gespeichert als ${file}`
  }
} satisfies Translation<typeof english>;
