/**
 * The rules of the tree, checked over the real imports: who may import whom, what stays out of the engine,
 * names, sizes, and that no file lies about that nothing uses. A rule that has to bend is changed here, with
 * its reason.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import * as scavengeTerms from '../src-core/units/scavenge-terms.ts';
import { filesReachedFrom, importCircles, readSourceTree, type SourceFile } from './support/source-tree.ts';

const root = path.resolve(import.meta.dirname, '..');
const source = readSourceTree(root, ['src-core', 'src-main', 'src-renderer']);
const tests = readSourceTree(root, ['test']).filter(({ name }) => !name.includes('/fixtures/'));
const scripts = readSourceTree(root, ['scripts']);
const everything = [...source, ...tests, ...scripts];
const core = source.filter((file) => file.name.startsWith('src-core/'));
const main = source.filter((file) => file.name.startsWith('src-main/'));
const renderer = source.filter((file) => file.name.startsWith('src-renderer/'));

const LEAVES = ['units', 'errors', 'assert'];
const FORMATS = ['codec', 'storage', ...LEAVES];
const CHUNKS = ['records', ...FORMATS];
const LOG_OR_INDEX = ['chunks', ...CHUNKS];
const DATABASE = ['log', 'index', ...LOG_OR_INDEX];
const FEATURE = ['database', 'digest', 'proof', ...DATABASE];
/** Each folder (or single file) of the engine with all it may import besides itself. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  errors: [],
  assert: ['errors'],
  units: ['errors', 'assert'],
  codec: LEAVES,
  storage: LEAVES,
  records: FORMATS,
  chunks: CHUNKS,
  log: LOG_OR_INDEX,
  index: LOG_OR_INDEX, // never the log: it is handed a function from position to record
  database: DATABASE,
  digest: ['database', ...DATABASE], // what is known of a chunk without reading it, streams by the hash of the index
  proof: ['digest', 'database', ...DATABASE], // what was verified and when: bound to a chunk as its digest is
  replaced: ['database', ...DATABASE], // what a scavenge sets aside, and putting it back
  scavenge: ['replaced', ...FEATURE],
  backup: FEATURE,
  restore: ['backup', ...FEATURE], // reads what a backup wrote
  verify: FEATURE,
  repair: ['verify', ...FEATURE], // carries out what verification's findings ask for
  redaction: ['repair', ...FEATURE], // examines the chunk it made as a repair does
  sample: FEATURE,
  // The pure decisions of a scavenge; what verification finds, for the start of a server.
  insight: ['scavenge', 'replaced', 'verify', ...FEATURE],
  // Sides as a comparison opens them, read past damage as a repair does; writes a new database.
  extraction: ['insight', 'scavenge', 'replaced', 'repair', 'verify', ...FEATURE],
  // Reads past damage, knows what the server's own records say.
  bundle: ['repair', 'verify', 'scavenge', 'replaced', ...FEATURE],
  startup: ['insight', 'repair', 'scavenge', 'verify', ...FEATURE], // does beforehand what the doctor says a start will do
  'auto-scavenge': LEAVES
};
const CORE_DOOR = 'src-core/index.ts';
/** For scripts of others: the npm package holds it as it is (scripts/stage-commands.mjs). */
const CLIENT = 'src-main/client/winnow-client.ts';

/** Each folder of src-main with the others that it may import: only those above it here. Why it needs the unusual ones. */
const MAIN_MAY_IMPORT: Record<string, readonly string[]> = {
  settings: [], // files of ours, and what they mean
  access: ['settings'], // users, passwords, licences: kept in files of ours
  contract: ['settings'], // preferences are part of a verb and of a file
  threads: ['contract'], // failures cross threads in the contract's form
  backup: ['access', 'settings', 'threads'], // copies in threads; calls a node for its role
  operations: ['backup', 'contract', 'settings', 'threads'],
  engine: ['contract', 'operations'], // the host knows the contract, the server carries out the operations
  activity: ['contract', 'engine', 'settings'], // an engine that records what it is asked
  cluster: ['access', 'activity', 'contract', 'engine', 'settings'],
  fleet: ['cluster', 'contract', 'engine', 'settings'], // how nodes and clusters stand, put together from the engine's answers and theirs
  verbs: ['access', 'activity', 'contract', 'engine', 'fleet', 'operations', 'settings'],
  // The page over HTTP has verbs, and shows what was done; metrics tell how the node stands.
  http: [
    'access',
    'activity',
    'backup',
    'cluster',
    'contract',
    'engine',
    'fleet',
    'operations',
    'settings',
    'verbs'
  ],
  hosting: ['access', 'activity', 'cluster', 'contract', 'engine', 'http', 'operations', 'settings', 'verbs'],
  client: [], // for scripts of others: it travels alone
  ipc: ['contract'], // a gate, with nothing behind it
  window: ['contract', 'settings'], // windows, menus and dialogs of Electron
  conformance: ['access', 'cluster', 'contract', 'http', 'operations'],
  cli: [
    'access',
    'activity',
    'backup',
    'cluster',
    'conformance',
    'contract',
    'engine',
    'fleet',
    'hosting', // a service with a page has the window's clusters
    'http',
    'operations',
    'settings'
  ]
};
/** The same for the page. `main.ts`, `App.svelte` and the files beside them put it together. */
const PAGE_MAY_IMPORT: Record<string, readonly string[]> = {
  texts: ['format'], // words that go with a number; its forms have words in turn
  api: ['texts'], // what it says itself when nothing answers
  format: ['texts'],
  state: ['api', 'format', 'texts'],
  components: ['format', 'state', 'texts'],
  frame: ['api', 'components', 'format', 'state', 'texts'],
  views: ['api', 'components', 'format', 'frame', 'state', 'texts']
};
/** More than this in one folder and nobody finds a file by its noun. */
const MOST_FILES_OF_A_FOLDER = 40;

/** The folder of the engine that a file belongs to, or its own name at the top. */
const layerOf = (name: string): string => (name.split('/')[1] ?? '').replace(/\.(?:svelte\.)?ts$/, '');

/** What the build starts from, as its configuration names it. */
function buildEntries(): string[] {
  const configuration = readFileSync(path.join(root, 'electron.vite.config.ts'), 'utf8');
  return [...configuration.matchAll(/at\('\.\/(src-[^']+)'\)/g)].map((match) => match[1] ?? '');
}

type Offence = (file: SourceFile) => string[];
const offences = (files: readonly SourceFile[], find: Offence): string[] =>
  files.flatMap((file) => find(file).map((what) => `${file.name}: ${what}`));

const importing = (matches: (line: SourceFile['imports'][number]) => boolean): Offence => {
  return (file) => file.imports.filter(matches).map(({ specifier }) => `imports ${specifier}`);
};

describe('the engine', () => {
  test('has a rule for each of its folders', () => {
    const layers = new Set(core.filter(({ name }) => name !== CORE_DOOR).map(({ name }) => layerOf(name)));
    expect([...layers].filter((layer) => !(layer in MAY_IMPORT))).toEqual([]);
  });

  test('imports only downwards, and siblings never meet', () => {
    const found = offences(core, (file) => {
      if (file.name === CORE_DOOR) return [];
      const layer = layerOf(file.name);
      const allowed = [layer, ...(MAY_IMPORT[layer] ?? [])];
      return file.imports
        .filter(({ target }) => target !== undefined && !allowed.includes(layerOf(target)))
        .map(({ specifier }) => `imports ${specifier}`);
    });
    expect(found).toEqual([]);
  });

  test('keeps to its own folder', () => {
    const leaves = importing(({ target }) => target !== undefined && !target.startsWith('src-core/'));
    expect(offences(core, leaves)).toEqual([]);
  });

  test('has one door, which nothing inside goes through', () => {
    expect(
      offences(
        core,
        importing(({ target }) => target === CORE_DOOR)
      )
    ).toEqual([]);
  });

  test('touches files only through its port', () => {
    const isFileSystem = importing(({ specifier }) => /^(node:)?(fs|fs\/promises)$|^koffi$/.test(specifier));
    const others = core.filter(({ name }) => !name.startsWith('src-core/storage/node-'));
    expect(offences(others, isFileSystem)).toEqual([]);
  });

  test('does nothing when it is loaded, so that a command loads only the modules it uses', () => {
    const found = offences(core, ({ text }) => {
      const code = text.replace(/`(?:[^`\\]|\\.)*`/g, '``');
      return [...code.matchAll(/^(?:(?:if|for|while|try|await|new) ?\b.*|[\w.]+\(.*|import ['"].*)$/gm)].map(
        (match) => `does something: ${match[0]}`
      );
    });
    expect(found).toEqual([]);
  });

  test('knows no clock, no chance and no environment', () => {
    const found = offences(core, ({ text }) => {
      const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
      return [
        ...code.matchAll(
          /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bprocess\.env\b|\bperformance\.now\b/g
        )
      ].map((match) => `uses ${match[0]}`);
    });
    expect(found).toEqual([]);
  });

  test('keeps the phases of a scavenge apart: only the scavenger knows their order', () => {
    const others = core.filter(({ name }) => name !== 'src-core/scavenge/scavenger.ts');
    const isPhase = /^src-core\/scavenge\/phases\/\d/;
    expect(core.some(({ name }) => isPhase.test(name))).toBe(true);
    const found = offences(others, (file) =>
      file.imports
        // What a phase needs from outside it may describe as a type, and outside it is made to that type.
        .filter(
          ({ target, isTypeOnly }) => isPhase.test(target ?? '') && !(isTypeOnly && !isPhase.test(file.name))
        )
        .map(({ specifier }) => `imports ${specifier}`)
    );
    expect(found).toEqual([]);
  });
});

/** The imports of a tree that go to a folder which its table does not name. `texts.ts` stands for the folder `texts`. */
function wrongImports(files: readonly SourceFile[], table: Record<string, readonly string[]>): string[] {
  const isTopFile = (name: string): boolean => !(layerOf(name) in table);
  return offences(files, (file) => {
    if (isTopFile(file.name)) return [];
    const layer = layerOf(file.name);
    const root = file.name.split('/')[0];
    const allowed = [layer, ...(table[layer] ?? [])];
    return file.imports
      .filter(({ target }) => target?.startsWith(`${root}/`) && !allowed.includes(layerOf(target)))
      .map(({ specifier }) => `imports ${specifier}`);
  });
}

describe('the reader that judges the engine', () => {
  test('shares no line with it', () => {
    const folder = path.join(import.meta.dirname, 'support/independent');
    const texts = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));
    const imported = texts.flatMap((text) => [...text.matchAll(/from '([^']+)'/g)].map((match) => match[1]!));
    expect(imported.length).toBeGreaterThan(4);
    expect(imported.filter((target) => !/^(node:[a-z]+|\.\/[a-z-]+\.ts)$/.test(target))).toEqual([]);
  });
});

describe('the whole tree', () => {
  test('decides by the name of the system in one place, which tests pretend to be elsewhere', () => {
    const found = offences([...core, ...main], ({ text }) => {
      const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
      return [
        ...code.matchAll(/process\.platform\s*(?:[!=]==|\?)|(?:case|[!=]==) '(?:win32|darwin|linux)'/g)
      ].map(([words]) => `decides by ${words}`);
    });
    const places = [
      'src-core/storage/platform-facts.ts',
      // Told the name by its caller, of places, menus and key chains.
      ...['settings/winnow-home.ts', 'window/menu-template.ts', 'hosting/key-chain.ts'].map(
        (name) => `src-main/${name}`
      )
    ];
    expect(found.filter((one) => !places.some((place) => one.startsWith(place)))).toEqual([]);
  });

  test('has no circles of imports, of types neither', () => {
    expect(importCircles(source)).toEqual([]);
  });

  test('lists the words of a scavenge once', () => {
    const lists = Object.values(scavengeTerms).filter((list) => Array.isArray(list) && list.length > 2);
    expect(lists.length).toBeGreaterThan(8);
    const again = lists.map((list) => (list as string[]).map((word) => `'${word}'`).join('\\s*[,|]\\s*'));
    const others = source.filter(({ name }) => name !== 'src-core/units/scavenge-terms.ts');
    const found = offences(others, ({ text }) => again.filter((words) => new RegExp(words).test(text)));
    expect(found).toEqual([]);
  });

  test('has no folder in which nobody finds a file', () => {
    const counts = new Map<string, number>();
    for (const { name } of source) {
      const folder = path.posix.dirname(name);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > MOST_FILES_OF_A_FOLDER)).toEqual([]);
  });
});

describe('the main process', () => {
  test('has a rule for each of its folders', () => {
    const folders = new Set(
      main.filter(({ name }) => name.split('/').length > 2).map(({ name }) => layerOf(name))
    );
    expect([...folders].sort()).toEqual(Object.keys(MAIN_MAY_IMPORT).sort());
  });

  test('imports only downwards', () => {
    expect(wrongImports(main, MAIN_MAY_IMPORT)).toEqual([]);
  });

  test('enters the engine only by its door', () => {
    const passesBy = (isAllowed: (target: string) => boolean): Offence =>
      importing(({ target }) => target !== undefined && target.startsWith('src-core/') && !isAllowed(target));
    const isContract = ({ name }: SourceFile): boolean => name.startsWith('src-main/contract/');
    const isDoor = (target: string): boolean => target === CORE_DOOR;
    // The page compiles with the contract, and knows no Node: the contract takes its words where the page does.
    const isDoorOrWords = (target: string): boolean => isDoor(target) || target.startsWith('src-core/units/');
    expect(
      offences(
        main.filter((file) => !isContract(file)),
        passesBy(isDoor)
      )
    ).toEqual([]);
    expect(offences(main.filter(isContract), passesBy(isDoorOrWords))).toEqual([]);
  });

  test('never imports the window', () => {
    expect(
      offences(
        main,
        importing(({ target }) => target?.startsWith('src-renderer/') ?? false)
      )
    ).toEqual([]);
  });

  test.each(buildEntries().filter((entry) => /^src-main\/(?!main\.ts|ipc\/preload|client\/)/.test(entry)))(
    'starts %s without Electron',
    (entry) => {
      const reached = filesReachedFrom(entry, source);
      expect(reached.size).toBeGreaterThan(1);
      const needsElectron = importing(({ specifier, isTypeOnly }) => specifier === 'electron' && !isTypeOnly);
      expect(
        offences(
          source.filter(({ name }) => reached.has(name)),
          needsElectron
        )
      ).toEqual([]);
    }
  );
});

describe('the window', () => {
  test('imports only downwards', () => {
    expect(wrongImports(renderer, PAGE_MAY_IMPORT)).toEqual([]);
  });

  test('takes types from the contract and values only from units', () => {
    const found = offences(renderer, (file) =>
      file.imports
        .filter(({ target, isTypeOnly }) => {
          if (target === undefined || target.startsWith('src-renderer/')) return false;
          if (target.startsWith('src-core/units/')) return false;
          // German names of operations: notifications of the main process have them, too.
          if (target === 'src-main/contract/operations/german-titles.ts') return false;
          return !(isTypeOnly && target === 'src-main/contract/verbs/workbench-contract.ts');
        })
        .map(({ specifier }) => `imports ${specifier}`)
    );
    expect(found).toEqual([]);
  });

  test('knows neither Node nor Electron', () => {
    const isOutside = importing(({ specifier }) =>
      /^node:|^electron$|^(fs|path|os|child_process)$/.test(specifier)
    );
    expect(offences(renderer, isOutside)).toEqual([]);
  });

  test('speaks to the main process in one file', () => {
    const others = renderer.filter(({ name }) => name !== 'src-renderer/api/engine-client.ts');
    const found = offences(others, ({ text }) =>
      /\bwindow\.workbench\b|\bglobalThis\.workbench\b/.test(text) ? ['touches window.workbench'] : []
    );
    expect(found).toEqual([]);
  });
});

describe('Electron', () => {
  test('is imported only in the main process', () => {
    const isElectron = importing(({ specifier }) => specifier === 'electron');
    expect(offences([...core, ...renderer], isElectron)).toEqual([]);
  });
});

describe('files', () => {
  test('have names that say what they are about', () => {
    const banned = /(^|[-./])(utils?|helpers?|common|managers?|services?|misc|shared)([-./]|$)/i;
    expect(everything.map(({ name }) => name).filter((name) => banned.test(name))).toEqual([]);
  });

  test('are kebab-case, and components PascalCase', () => {
    const odd = source.filter(({ name }) => {
      const base = path.posix.basename(name);
      return !(
        name.endsWith('.svelte') ? /^[A-Z][A-Za-z0-9]*\.svelte$/ : /^[a-z0-9][a-z0-9-]*(\.[a-z]+)+$/
      ).test(base);
    });
    expect(odd.map(({ name }) => name)).toEqual([]);
  });

  test('stay within 500 lines', () => {
    const long = everything.filter(({ text }) => text.split('\n').length > 501);
    expect(long.map(({ name, text }) => `${name}: ${text.split('\n').length - 1} lines`)).toEqual([]);
  });

  test('are all used by another one', () => {
    // Tests and benchmarks do not count: what only they use, nobody needs.
    const users = [...source, ...scripts.filter(({ name }) => !name.startsWith('scripts/bench/'))];
    const entries = new Set([CORE_DOOR, CLIENT, ...buildEntries()]);
    const used = new Set(users.flatMap(({ imports }) => imports.map(({ target }) => target)));
    const orphans = source.filter(
      ({ name }) => !entries.has(name) && !used.has(name) && !name.endsWith('.d.ts')
    );
    expect(orphans.map(({ name }) => name)).toEqual([]);
  });
});
