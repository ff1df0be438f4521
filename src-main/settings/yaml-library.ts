/**
 * The reader of YAML: loaded with the first configuration file, by a call that does not wait, since settings are read in one
 * go. Most commands and the start of the window read none.
 */
import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';

/** Built code has the package in a file of its own beside it (electron.vite.config.ts). */
const PLACE = import.meta.url.endsWith('.ts') ? 'yaml' : './yaml.js';
let loaded: typeof Yaml | undefined;

export function yamlLibrary(): typeof Yaml {
  return (loaded ??= load());
}

/** The package is CommonJS: what the builder makes of it has all of it as its default. */
function load(): typeof Yaml {
  const library = createRequire(import.meta.url)(PLACE) as typeof Yaml & { default?: typeof Yaml };
  return library.default ?? library;
}
