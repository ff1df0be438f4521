// Called by electron-builder when a package is laid out. Electron's distribution carries an application of its own, which
// runs whatever it is given; ours must be the only one in the package.
import { rm } from 'node:fs/promises';
import path from 'node:path';

export default async function afterPack({ packager, appOutDir }) {
  await rm(path.join(packager.getResourcesDir(appOutDir), 'default_app.asar'), { force: true });
}
