/** What a page may name in a comparison, and what the main process makes of it. */
import { expect, it } from 'vitest';
import { ChosenPaths } from '../../../src-main/verbs/chosen-paths.ts';
import { comparedSides } from '../../../src-main/verbs/difference-work.ts';
import { takenFromWindow } from '../../../src-main/contract/verbs/validate.ts';
import type { ComparesWith, NodeEntry } from '../../../src-main/contract/verbs/workbench-contract.ts';

const entry = (id: string, more: Partial<NodeEntry> = {}): NodeEntry =>
  ({ id, name: `node ${id}`, dataDirectory: `/data/${id}`, ...more }) as NodeEntry;
const nodes = [entry('a', { backupTarget: '/backups' }), entry('b', { indexDirectory: '/index/b' })];
const choices = {
  chosen: new ChosenPaths(),
  nodeNamed: (id: string) => nodes.find((node) => node.id === id)
};
const sides = (asked: ComparesWith, node = nodes[0]!) => comparedSides(node, asked, choices);

it('names directories for ids of nodes, and the target of the node for its newest backup', () => {
  expect(sides({ otherNodes: ['b'], usesBackups: true })).toEqual({
    name: 'node a',
    others: [
      { dataDirectory: '/data/b', indexDirectory: '/index/b', name: 'node b' },
      { dataDirectory: '/backups' }
    ]
  });
});

it('refuses nothing at all, unknown nodes, what is no list of ids, and a backup of a node without a target', () => {
  const code = 'InvalidRequest';
  expect(() => sides({})).toThrow(expect.objectContaining({ code }) as Error);
  expect(() => sides({ otherNodes: ['nobody'] })).toThrow();
  for (const otherNodes of ['b', [1], { 0: 'b' }, null] as unknown[]) {
    expect(() => sides({ otherNodes } as ComparesWith)).toThrow(expect.objectContaining({ code }) as Error);
  }
  expect(() => sides({ usesBackups: true }, nodes[1])).toThrow(expect.objectContaining({ code }) as Error);
  expect(() => sides({ fromPlace: 'never chosen' })).toThrow();
});

it('takes no path from a page', () => {
  const asked = {
    others: [{ dataDirectory: '/etc' }],
    dataDirectory: '/etc',
    name: 'x',
    keyFile: '/k',
    otherNodes: ['b']
  };
  expect(takenFromWindow('compareDatabases', asked)).toEqual({ otherNodes: ['b'] });
});
