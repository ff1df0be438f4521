/** Encrypting backups for other keys: form, plan, confirmation and result, in both languages. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inStudio, type Album } from './studio.ts';
import { answerOpenDialog } from '../file-dialogs.ts';

const WORDS = {
  'backups-rekey': {
    language: 'en',
    ready: /^sound as of/,
    choose: 'Choose a directory…',
    action: 'Encrypt backups for other keys…',
    chooseFile: 'Choose a key file…',
    plan: 'Plan the encryption',
    start: 'Encrypt for these keys',
    done: /^Encrypted again and read back/
  },
  'german-backups-rekey': {
    language: 'de',
    ready: /^in Ordnung, Stand/,
    choose: 'Verzeichnis wählen…',
    action: 'Backups umschlüsseln…',
    chooseFile: 'Schlüsseldatei wählen…',
    plan: 'Umschlüsselung planen',
    start: 'Für diese Schlüssel umschlüsseln',
    done: /^Umgeschlüsselt und zurückgelesen/
  }
} as const;

export async function takeRekey(directory: Album): Promise<void> {
  for (const name of ['backups-rekey', 'german-backups-rekey'] as const) await takeIn(directory, name);
}

async function takeIn(directory: Album, name: keyof typeof WORDS): Promise<void> {
  const words = WORDS[name];
  const environment = { LANGUAGE: words.language };
  const prepare = (home: string): void => {
    const at = (file: string): string => path.join(home, file);
    const winnow = (...command: string[]): void => {
      const env = { ...process.env, WINNOW_HOME: home };
      execFileSync(process.execPath, ['out/main/cli.js', ...command, '--yes', '--quiet'], { env });
    };
    winnow('sample', at('sample'), '--size', '16MiB');
    for (const key of ['old.key', 'anna.key', 'ben.key']) {
      execFileSync(process.execPath, ['out/main/cli.js', 'backup', 'key', at(key)], { stdio: 'ignore' });
    }
    const keys = ['anna.key', 'ben.key'].map(
      (key) => /age1[0-9a-z]+/.exec(readFileSync(at(key), 'utf8'))![0]
    );
    writeFileSync(at('team.pub'), `${keys.join('\n')}\n`);
    winnow('backup', 'create', at('sample'), '--to', at('backups'), '--key-file', at('old.key'));
  };
  const options = {
    directory,
    hasSample: false,
    environment,
    prepare,
    words: [path.join(tmpdir(), 'winnow/sample')]
  };
  await inStudio(options, async ({ window, page, home, show, take }) => {
    const at = (file: string): string => path.join(home, file);
    const choose = (file: string): Promise<void> => answerOpenDialog(window.app, file);
    await page.locator('.overview .health').getByText(words.ready).waitFor();
    await choose(at('backups'));
    await show('Backups');
    await page.getByRole('button', { name: words.choose }).click();
    await page.getByRole('grid').getByRole('row').first().click({ button: 'right' });
    await take(`${name}-menu`);
    await page.getByRole('menuitem', { name: words.action }).click();
    await choose(at('team.pub'));
    await page.getByRole('button', { name: words.chooseFile }).first().click();
    await take(`${name}-form`);
    await page.getByRole('button', { name: words.plan }).click();
    await page.getByRole('alert').waitFor();
    await take(`${name}-refused`);
    await choose(at('old.key'));
    await page.locator('.outcome .key').getByRole('button').first().click();
    await page.getByRole('button', { name: `${words.start}…` }).waitFor();
    await take(name);
    await page.getByRole('button', { name: `${words.start}…` }).click();
    await page.getByRole('alertdialog').waitFor();
    await take(`${name}-confirm`);
    await page.getByRole('alertdialog').getByRole('button', { name: words.start }).click();
    await page.getByText(words.done).waitFor();
    await take(`${name}-done`);
  });
}
