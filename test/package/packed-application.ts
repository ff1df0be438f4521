/** The packed application as the tests of its security see it: one window for all of them, and what the package contains. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { NodeRegistry } from '../../src-main/settings/node-registry.ts';
import { expect, test as base } from './fixtures.ts';
import { resourcesOf } from './installed.ts';
import { openPackagedWindow, type PackagedWindow } from './packaged-window.ts';

interface Packed extends PackagedWindow {
  /** Which programs of the system it had started, and with what: one line for each. */
  opened: () => string[];
  /** A directory that the page may name by this id. */
  node: { id: string; dataDirectory: string };
}

export const OWN_PAGE = 'app://winnow/';
export const FOREIGN = 'https://foreign.test/';

export const test = base.extend<{ page: Page; session: CDPSession }, { packed: Packed }>({
  /** One window for all: each test begins with a fresh page, and leaves nothing else. */
  packed: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const home = mkdtempSync(path.join(tmpdir(), 'winnow-package-'));
      const log = path.join(home, 'opened');
      const programs = path.join(home, 'programs');
      const dataDirectory = path.join(home, 'data');
      mkdirSync(programs);
      mkdirSync(dataDirectory);
      writeFileSync(path.join(programs, 'xdg-open'), `#!/bin/sh\necho "$@" >> '${log}'\n`);
      chmodSync(path.join(programs, 'xdg-open'), 0o755);
      const { id } = new NodeRegistry(home, Date.now).open({ dataDirectory });
      const window = await openPackagedWindow({
        home,
        isSandboxed: true,
        environment: { PATH: `${programs}:/usr/bin:/bin` }
      });
      await use({
        ...window,
        node: { id, dataDirectory },
        opened: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [])
      });
      await window.close();
      rmSync(home, { recursive: true, force: true, maxRetries: 10 });
    },
    { scope: 'worker' }
  ],
  page: async ({ packed: { page } }, use) => {
    await page.goto(OWN_PAGE);
    await expect(page.locator('html[data-ready=true]')).toBeVisible();
    await use(page);
  },
  session: async ({ page }, use) => {
    const session = await page.context().newCDPSession(page);
    await use(session);
    await session.detach();
  }
});

/** Processes below this one, with their command lines. */
function processesBelow(pid: number): { pid: number; words: string }[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).trim().split('\n');
  const rows = lines.map(
    (line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line)!.slice(1) as [string, string, string]
  );
  const below = new Set([pid]);
  for (let size = 0; size < below.size;) {
    size = below.size;
    for (const [own, parent] of rows) if (below.has(Number(parent))) below.add(Number(own));
  }
  return rows
    .filter(([own]) => below.has(Number(own)))
    .map(([own, , words]) => ({ pid: Number(own), words }));
}

export function rendererOf(pid: number): { pid: number; words: string } {
  const renderers = processesBelow(pid).filter(({ words }) => words.includes('--type=renderer'));
  expect(renderers).toHaveLength(1);
  return renderers[0]!;
}

/** Every script and page of ours in the package, by its place. */
function ownTexts(): Map<string, string> {
  const resources = resourcesOf();
  const unpacked = path.join(resources, 'app.asar.unpacked/out');
  const names = readdirSync(unpacked, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(?:js|cjs|mjs|html)$/.test(name)
  );
  expect(names.length).toBeGreaterThan(20);
  return new Map([
    ['app.asar', readFileSync(path.join(resources, 'app.asar'), 'latin1')],
    ...names.map((name): [string, string] => [name, readFileSync(path.join(unpacked, name), 'utf8')])
  ]);
}

export function textsWith(words: string): string[] {
  return [...ownTexts()].filter(([, text]) => text.includes(words)).map(([name]) => name);
}

/** Names of the page that a program may use. */
export const globalsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => Object.getOwnPropertyNames(globalThis).sort());
