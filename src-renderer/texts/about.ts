/** Texts about the application itself. */
import { counted } from '../format/count.ts';

export const aboutTexts = {
  about: {
    title: 'About Winnow',
    intro:
      'A workbench for the maintenance of KurrentDB and EventStoreDB databases. Over the network it talks only to nodes and object stores that you name.',
    versions: 'Versions',
    formats: 'Supported formats',
    copy: 'Copy versions',
    libraries: (count: number) => counted(count, 'bundled library', 'bundled libraries'),
    noLibraries: 'This build has no list of libraries, because it was not made by “npm run build”.',
    library: 'Library',
    version: 'Version',
    licence: 'Licence',
    search: 'Find a library or licence',
    licenceText: (name: string) => `Licence of ${name}`,
    chooseLibrary: 'Select a library to read its licence.',
    bill: 'Bill of materials',
    billCount: (count: number) =>
      `${counted(count, 'component')} in CycloneDX format, generated from the lockfile.`,
    noBill: 'This build has no bill of materials.',
    saveBill: 'Save the bill of materials…',
    saved: (file: string) => `Saved as ${file}`
  }
} as const;
