// Puts the Node that runs this into release/node, from where packages for macOS and Windows take it: their command line
// runs by it. On Linux it comes from the registry, with its integrity in the lock file.
//   npm run package:mac, npm run package:windows
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { root } from './build.mjs';

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(`Packages carry Node 24, and this is ${process.version}. Run it by Node 24.`);
  process.exit(1);
}
const directory = path.join(root, 'release/node');
mkdirSync(directory, { recursive: true });
const executable = process.platform === 'win32' ? 'node.exe' : 'node';
copyFileSync(process.execPath, path.join(directory, executable));
// Beside the executable on Windows, above its folder elsewhere.
const license = ['LICENSE', '../LICENSE']
  .map((name) => path.resolve(path.dirname(process.execPath), name))
  .find((file) => existsSync(file));
if (license) copyFileSync(license, path.join(directory, 'LICENSE'));
