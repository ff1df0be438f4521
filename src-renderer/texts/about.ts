/** Texts about the application itself. */
export const aboutTexts = {
  about: {
    title: 'About Winnow',
    intro:
      'A workbench for the maintenance of KurrentDB and EventStoreDB databases. It asks nothing over the network but the nodes that you name.',
    versions: 'Versions',
    formats: 'Formats it reads',
    copy: 'Copy versions',
    libraries: (count: string) => `${count} bundled libraries`,
    noLibraries: 'This build lists no libraries: it was not made by “npm run build”.',
    library: 'Library',
    version: 'Version',
    licence: 'Licence',
    search: 'Find a library or licence',
    licenceText: (name: string) => `Licence of ${name}`,
    chooseLibrary: 'Choose a library to read its licence.',
    bill: 'Bill of materials',
    billCount: (count: string) =>
      `${count} components in CycloneDX form, made from the lock file at the build.`,
    noBill: 'This build has no bill of materials.',
    saveBill: 'Save the bill of materials…',
    saved: (file: string) => `Saved as ${file}`
  }
} as const;
