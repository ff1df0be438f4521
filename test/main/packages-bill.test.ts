import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { billOfMaterials } from '../../scripts/make-sbom.mjs';

const lock = JSON.parse(readFileSync(path.join(import.meta.dirname, '../../package-lock.json'), 'utf8')) as {
  packages: Record<string, { name?: string; version?: string; link?: boolean }>;
};

test('the bill of materials has every package of the lock file once, with version, purl and checksum', () => {
  const bill = billOfMaterials(lock, new Set());
  expect([bill.bomFormat, bill.specVersion]).toEqual(['CycloneDX', '1.6']);
  const purls = bill.components.map(({ purl }) => purl);
  expect(new Set(purls).size).toBe(purls.length);
  const named = Object.entries(lock.packages).filter(
    ([place, entry]) => place !== '' && entry.version !== undefined
  );
  const distinct = new Set(
    named.map(
      ([place, { name, version }]) =>
        `${name ?? place.slice(place.lastIndexOf('node_modules/') + 13)}@${version}`
    )
  );
  expect(purls).toHaveLength(distinct.size);
  const electron = bill.components.find(({ name }) => name === 'electron')!;
  expect(electron.scope).toBe('required');
  const [hash] = electron.hashes!;
  expect(hash!.alg).toBe('SHA-512');
  expect(hash!.content).toMatch(/^[0-9a-f]{128}$/);
});

test('what is bundled is told apart from what only builds and tests', () => {
  const version = lock.packages['node_modules/@lucide/svelte']!.version!;
  const bill = billOfMaterials(lock, new Set([`@lucide/svelte@${version}`]));
  const lucide = bill.components.find(({ group, name }) => group === '@lucide' && name === 'svelte')!;
  expect(lucide).toMatchObject({ scope: 'required', purl: `pkg:npm/%40lucide/svelte@${version}` });
  expect(bill.components.find(({ name }) => name === 'prettier')!.scope).toBe('excluded');
});

test('the same lock file gives the same bill', () => {
  expect(JSON.stringify(billOfMaterials(lock, new Set()))).toBe(
    JSON.stringify(billOfMaterials(lock, new Set()))
  );
  expect(billOfMaterials(lock, new Set()).serialNumber).toMatch(/^urn:uuid:[0-9a-f-]{36}$/);
});
