import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { EXIT_CODES } from '../../../src-main/cli/exit-codes.ts';

const page = fs.readFileSync(new URL('../../../docs/operations/errors.md', import.meta.url), 'utf8');

describe('the page of errors', () => {
  test.each(Object.entries(EXIT_CODES))(
    'has %s with its exit code and a section that helps',
    (code, exitCode) => {
      expect(page).toContain(`| [${code}](#${code.toLowerCase()}) | ${exitCode} | `);
      const [, section = ''] = page.split(`\n## ${code}\n`);
      const words = section.split('\n## ')[0]!.trim().split(/\s+/);
      expect(words.length).toBeGreaterThan(20);
    }
  );

  test('has no code that is none', () => {
    const sections = [...page.matchAll(/^## (\w+)$/gm)].map(([, code]) => code);
    expect(sections).toEqual(
      Object.keys(EXIT_CODES).sort((a, b) => sections.indexOf(a) - sections.indexOf(b))
    );
    expect(new Set(sections).size).toBe(sections.length);
  });
});
