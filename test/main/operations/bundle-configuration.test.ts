/** The configuration that goes with a bundle is read from a file that a person named: whatever lies there, it does not wait. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EngineError } from '../../../src-core/index.ts';
import { readBundleConfiguration } from '../../../src-main/operations/bundle/bundle-configuration.ts';
import { putIrregular } from '../../support/irregular-file.ts';

let directory = '';
let file = '';
beforeEach(() => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-configuration-'));
  file = path.join(directory, 'kurrentdb.conf');
});
afterEach(() => fs.rmSync(directory, { recursive: true, force: true }));

function refusal(): EngineError {
  try {
    readBundleConfiguration(file);
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('it was read');
}

describe('the configuration of a bundle', () => {
  it
    .runIf(process.platform === 'linux')
    .each(['a named pipe', '/dev/zero', 'a socket', 'a directory'] as const)(
    'is refused where it is %s',
    async (kind) => {
      const found = await putIrregular(file, kind);
      const { code, message } = refusal();
      expect([code, message]).toEqual([
        'InvalidRequest',
        `The configuration file ${file} cannot be read: it is ${found}.`
      ]);
    }
  );

  it('is refused where it is missing, too large, or no YAML', () => {
    expect(refusal().message).toBe(`The configuration file ${file} cannot be read.`);
    fs.writeFileSync(file, `a: ${'x'.repeat(1024 * 1024)}`);
    expect(refusal().message).toBe(`${file} is too large for a configuration.`);
    fs.writeFileSync(file, 'a: [');
    expect(refusal().message).toBe(`${file} is no YAML.`);
  });

  it('keeps keys and plain values only', () => {
    fs.writeFileSync(file, 'ClusterSize: 3\nCertificatePassword: secret\n');
    expect(readBundleConfiguration(file).toString()).toBe('ClusterSize: 3\nCertificatePassword: "***"\n');
  });
});
