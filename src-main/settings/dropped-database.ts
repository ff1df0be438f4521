/** What a person means by dropping a file on the window: a data directory, a file in one, or a server configuration. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { EngineError, invalidRequest } from '../../src-core/index.ts';
import { readNodeConfiguration } from './node-configuration.ts';
import type { OpenedNode } from './node-registry.ts';

const CONFIGURATION = /\.(?:conf|ya?ml)$/i;

/** Does not check whether there is a database. Throws if the dropped item has no path on the disk. */
export function droppedDatabase(dropped: string): OpenedNode {
  if (dropped === '') {
    throw invalidRequest(
      'The dropped item has no path on this disk.',
      'file',
      'Drop the data directory itself, or open it with the dialog.'
    );
  }
  if (isDirectory(dropped)) return { dataDirectory: dropped };
  if (CONFIGURATION.test(dropped)) return { ...readNodeConfiguration(dropped), configurationFile: dropped };
  return { dataDirectory: path.dirname(dropped) };
}

function isDirectory(file: string): boolean {
  try {
    return statSync(file).isDirectory();
  } catch (cause) {
    throw new EngineError({
      code: 'DatabaseNotFound',
      message: `${file} cannot be read.`,
      remedy: 'Choose another folder.',
      details: { file },
      cause
    });
  }
}
