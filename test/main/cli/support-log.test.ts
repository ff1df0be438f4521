import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ACTIVITY_SCHEMAS } from '../../../src-main/contract/operations/activity-reports.ts';
import { jsonOf, runWinnow } from './run-winnow.ts';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-support-log-'));
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));
const home = path.join(root, 'home');
const winnow = (words: string[], environment: Record<string, string> = {}) =>
  runWinnow(words, { environment: { WINNOW_HOME: home, ...environment } });

test('a support log says what is known of a home that nobody has used', async () => {
  const { stdout, exitCode } = await runWinnow(['support-log'], {
    environment: { WINNOW_HOME: path.join(root, 'nowhere') }
  });
  expect(exitCode).toBe(0);
  expect(stdout).toContain('WINNOW_HOME is empty.');
  expect(stdout).toContain('Every setting has its default.');
  expect(stdout).toContain('Operations: 0 of 0');
  expect(fs.existsSync(path.join(root, 'nowhere'))).toBe(false);
});

test('it has operations, changed settings and versions, but no names of directories, machines or secrets', async () => {
  const customer = path.join(root, 'customer-acme-4711');
  fs.mkdirSync(path.join(home, 'clusters', 'acme-cluster'), { recursive: true });
  fs.writeFileSync(path.join(home, 'clusters', 'acme-cluster', 'cluster.json'), 'x'.repeat(5000));
  fs.writeFileSync(path.join(home, 'acme diary.doc'), 'not ours');
  await winnow(['verify', customer, '--quiet']);
  await winnow(['verify', path.join(root, 'another'), '--quiet']);
  const secrets = {
    SERVICE_WINNOW__PORT: '2999',
    SERVICE_WINNOW__CERTIFICATE_FILE: '/srv/acme/node.pem',
    SERVICE_LICENSING__LICENSE_KEY: 'acme-secret'
  };
  const { stdout, exitCode } = await winnow(['support-log'], secrets);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('Operations: 2 of 2');
  expect(stdout).toMatch(/^ {2}clusters: 1 file, 4\.88 KiB$/m);
  expect(stdout).toMatch(/^ {2}other: 1 file, /m);
  expect(stdout).toMatch(/^ {2}Winnow:Port: 2999 \(environment\)$/m);
  expect(stdout).toMatch(/^ {2}Winnow:CertificateFile: \(set, not shown\) \(environment\)$/m);
  expect(stdout).toContain('Error: DatabaseNotFound');
  expect(stdout).not.toContain('acme');
  expect(stdout).not.toContain(os.hostname());

  const report = ACTIVITY_SCHEMAS['support-log'].parse(
    jsonOf(await winnow(['support-log', '--json'], secrets))
  );
  expect(report.settingsProblem).toBeNull();
  expect(report.operations.map(({ details }) => details.split('\n')[0])).toEqual([
    'Operation: verifyDatabase (commandLine)',
    'Operation: verifyDatabase (commandLine)'
  ]);

  const one = report.operations[1]!;
  const alone = await winnow(['support-log', '--operation', one.id]);
  expect(alone.stdout).toContain(`Id: ${one.id}`);
  expect(alone.stdout).toContain('Operations: 1 of 2');
  const none = await winnow(['support-log', '--operation', 'nothing']);
  expect(none.exitCode).toBe(2);
  expect(none.stderr).toContain('No operation with the id nothing is recorded.');
});

test('settings that cannot be read do not keep the rest away', async () => {
  const { stdout, exitCode } = await winnow(['support-log'], { SERVICE_WINNOW__PORT: 'many' });
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^The settings cannot be read: /m);
  expect(stdout).not.toContain('many');
  expect(stdout).toContain('Operations: ');
  const named = await winnow(['support-log', '--config', path.join(root, 'nowhere.yaml')]);
  expect(named.exitCode).not.toBe(0);
  expect(named.stderr).toContain('nowhere.yaml');
});
