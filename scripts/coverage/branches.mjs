// The branches of an engine's folders: how many there are, how many a run took, and the least that a folder may show.
import path from 'node:path';
import { FLOORS, TOTAL } from './floors.mjs';

/** Branches of one file in the counts of a run: the kind, the line, and how often each was taken. */
function branchesOf({ branchMap, b }) {
  return Object.entries(branchMap).flatMap(([id, { type, locations, loc }]) =>
    b[id].map((taken, index) => ({ type, line: locations[index]?.start?.line ?? loc.start.line, taken }))
  );
}

/** Folders of `source` by name, the files at its root as `.`, and the sum, each with its branches and those taken. */
export function foldersOf(files, source) {
  const folders = new Map();
  const add = (name, branches) => {
    const folder = folders.get(name) ?? { all: 0, taken: 0 };
    folder.all += branches.length;
    folder.taken += branches.filter(({ taken }) => taken > 0).length;
    folders.set(name, folder);
  };
  for (const [file, counts] of Object.entries(files)) {
    const parts = path.relative(source, file).split(path.sep);
    const branches = branchesOf(counts);
    add(parts.length > 1 ? parts[0] : '.', branches);
    add(TOTAL, branches);
  }
  return new Map([...folders].sort(([one], [other]) => order(one, other)));
}

function order(one, other) {
  if (one === TOTAL || other === TOTAL) return one === TOTAL ? 1 : -1;
  return one < other ? -1 : 1;
}

/** Rounded down: a floor that is printed is one that was reached. */
const percentOf = ({ all, taken }) => (all === 0 ? 100 : Math.floor((taken / all) * 1000) / 10);

/** A line for each folder: branches, those taken, the share, the floor. */
export function tableLines(folders) {
  const line = (...[name, all, taken, share, floor]) =>
    `${name.padEnd(16)}${all.padStart(9)}${taken.padStart(8)}${share.padStart(8)}${floor.padStart(8)}`;
  return [
    line('src-core', 'branches', 'taken', '%', 'floor'),
    ...[...folders].map(([name, folder]) =>
      line(
        name,
        String(folder.all),
        String(folder.taken),
        percentOf(folder).toFixed(1),
        (FLOORS[name] ?? 0).toFixed(1)
      )
    )
  ];
}

/** What to say of each folder that shows less than its floor. */
export function belowFloor(folders) {
  return Object.entries(FLOORS)
    .filter(([name, floor]) => !folders.has(name) || percentOf(folders.get(name)) < floor)
    .map(([name, floor]) => {
      const folder = folders.get(name);
      return folder === undefined
        ? `${name}: not in the run, though it has a floor.`
        : `${name}: ${percentOf(folder).toFixed(1)} % of the branches, the floor is ${floor.toFixed(1)} %.`;
    });
}

/** Each branch of a folder of src-core that no test takes, as file:line and its kind. */
export function uncoveredLines(files, root, folder) {
  const under = path.join(root, 'src-core', folder) + path.sep;
  return Object.entries(files)
    .filter(([file]) => file.startsWith(under))
    .flatMap(([file, counts]) =>
      branchesOf(counts)
        .filter(({ taken }) => taken === 0)
        .map(({ line, type }) => `${path.relative(root, file)}:${line} ${type}`)
    );
}
