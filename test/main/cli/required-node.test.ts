/** The command line under a Node that is too old: it loads so far that it can say so. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { refusalOfNode } from '../../../src-main/cli/required-node.ts';
import { COMMAND_LINE } from '../../support/command-line.ts';

/** Changes what the process believes of itself before the command is loaded. */
const PRETENDS = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.20.2'})`;

const underOldNode = (...words: string[]) =>
  spawnSync(process.execPath, ['--import', PRETENDS, COMMAND_LINE, ...words], { encoding: 'utf8' });

it('refuses as a wrong request, says which Node it needs and where one comes from', () => {
  const { status, stdout, stderr } = underOldNode('inspect', '.');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(
    /^Error: winnow needs Node 24 or newer, and this is v20\.20\.2\.\nInstall Node 24\. /
  );
  expect(stderr.trimEnd().split('\n')).toHaveLength(2);
});

it('says the same as one document where JSON was asked for', () => {
  const { status, stdout } = underOldNode('inspect', '.', '--json');
  expect(status).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({
    error: { code: 'InvalidRequest', remedy: expect.any(String) as unknown }
  });
});

it('asks nothing of a newer one', () => {
  expect(refusalOfNode('24.0.0')).toBeUndefined();
  expect(refusalOfNode('26.1.0')).toBeUndefined();
  expect(refusalOfNode('9.0.0')).toBeDefined();
});

it('imports nothing by name that Node 20 does not have, so that it can be loaded there', () => {
  const folder = path.join(import.meta.dirname, '../../../src-main');
  const seen = new Set<string>();
  const named: string[] = [];
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, what, from] of readFileSync(file, 'utf8').matchAll(
      /^import (?!type)(.*?) from '(.*?)';/gms
    )) {
      if (from!.startsWith('.')) visit(path.join(path.dirname(file), from!));
      else named.push(`${what!.replaceAll(/\s+/g, ' ')} from ${from!}`);
    }
  };
  visit(path.join(folder, 'cli/cli.ts'));
  expect(named.sort()).toEqual([
    'nodeModule from node:module',
    'path from node:path',
    'path from node:path',
    '{ Worker } from node:worker_threads',
    '{ existsSync, mkdirSync } from node:fs',
    '{ homedir } from node:os'
  ]);
});
