/** The versions that the window runs on, in the order for a bug report. */
import os from 'node:os';

export interface Version {
  name: string;
  version: string;
}

export function applicationVersions(app: { getVersion(): string }): Version[] {
  const { electron = '', chrome = '', node, sqlite = '' } = process.versions;
  return [
    { name: 'Winnow', version: app.getVersion() },
    { name: 'Electron', version: electron },
    { name: 'Chromium', version: chrome },
    { name: 'Node', version: node },
    { name: 'SQLite', version: sqlite },
    { name: 'System', version: `${process.platform} ${process.arch}, ${os.release()}` }
  ].filter(({ version }) => version !== '');
}
