/** The settings of the service, from each of their sources, and what shows them. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runWinnow } from '../cli/run-winnow.ts';
import { startServer } from './running-server.ts';

let directory: string;
let sample: string;
beforeAll(async () => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-service-settings-'));
  sample = path.join(directory, 'sample');
  await runWinnow(['sample', sample, '--size', '200KiB', '--chunk-size', '64KiB', '--yes']);
});
afterAll(() => fs.rmSync(directory, { recursive: true, force: true }));

describe('the settings of the service', () => {
  it('are shown by --print-config, each with its source, and no secret', async () => {
    const file = path.join(directory, 'node.yaml');
    fs.writeFileSync(file, `Db: ${sample}\nScavengeHistoryMaxAge: 7\nLicensing:\n  LicenseKey: hunter2\n`);
    const { exitCode, stdout } = await runWinnow(['serve', '--config', file, '--print-config', '--json']);
    expect(exitCode).toBe(0);
    const { settings } = JSON.parse(stdout) as {
      settings: { name: string; value: string; source: string }[];
    };
    expect(settings).toContainEqual({ name: 'ScavengeHistoryMaxAge', value: '7', source: `file ${file}:2` });
    expect(stdout).not.toContain('hunter2');
    const changed = await runWinnow(['config', '--config', file, '--changed', '--json', '--ui']);
    const names = (JSON.parse(changed.stdout) as { settings: { name: string }[] }).settings.map(
      ({ name }) => name
    );
    expect(names).toEqual(['Db', 'ScavengeHistoryMaxAge', 'Licensing:LicenseKey', 'Winnow:Page']);
  });

  it('give it its address and its users file from the environment', async () => {
    const home = path.join(directory, 'home-environment');
    const file = path.join(directory, 'from-environment.json');
    const started = await startServer({
      home,
      words: [sample],
      environment: {
        SERVICE_WINNOW__HOST: '127.0.0.2',
        SERVICE_WINNOW__USERS_FILE: file
      }
    });
    await started.stop();
    expect(new URL(started.url).hostname).toBe('127.0.0.2');
    expect(fs.existsSync(file)).toBe(true);
  });
});
