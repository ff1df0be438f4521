/**
 * Takes pictures of one window: a scene in light and dark, in two sizes, as WebP (a fifth of a PNG, and the browser
 * writes it itself). The home has a plain name, since paths are seen in the pictures.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { createSample, launchWindow, overviewHealth, type ElectronWindow } from '../electron-window.ts';
import { copySample } from '../sample-database.ts';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 }
] as const;
const THEMES = ['light', 'dark'] as const;
/** Text stays sharp; below, edges of letters begin to smear. */
const QUALITY = 78;

export interface Studio {
  window: ElectronWindow;
  page: Page;
  home: string;
  show: (view: string) => Promise<void>;
  /** The scene as it is, four times: `NAME-THEME.webp` and `NAME-THEME-1920.webp`. */
  take: (name: string) => Promise<void>;
  /** A scene that passes: one picture, at once. */
  takeOnce: (name: string) => Promise<void>;
}

/** Where pictures go; or who looks at each scene instead of a picture being taken. */
export type Album = string | ((page: Page, scene: string) => Promise<void>);

export interface StudioOptions {
  directory: Album;
  /** Whether the sample database is shown first: created in the window, or for those who look at scenes a copy of a small one. */
  hasSample?: boolean;
  /** Also then it is created in the window. */
  mustCreate?: boolean;
  words?: string[];
  environment?: Readonly<Record<string, string>>;
  /** Done before the window opens. */
  prepare?: (home: string) => void;
}

/** Opens a window, runs the scenes in it and closes it, whatever happens. */
export async function inStudio(
  { directory, hasSample = true, mustCreate = false, words = [], environment = {}, prepare }: StudioOptions,
  scenes: (studio: Studio) => Promise<void>
): Promise<void> {
  const isLook = typeof directory === 'function';
  if (!isLook) mkdirSync(directory, { recursive: true });
  // Of those who look there may be several at once, and nobody reads their paths.
  const home = isLook ? mkdtempSync(path.join(tmpdir(), 'winnow-scenes-')) : path.join(tmpdir(), 'winnow');
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home);
  prepare?.(home);
  const copy = isLook && hasSample && !mustCreate ? [await copySample(home, 'small')] : [];
  const window = await launchWindow({ home, words: [...words, ...copy], environment });
  const { page, show } = window;
  const session = await page.context().newCDPSession(page);
  const shoot = (name: string): Promise<void> =>
    capture(session, path.join(String(directory), `${name}.webp`));
  try {
    if (copy.length > 0) await overviewHealth(page, /^sound as of/).waitFor();
    else if (hasSample) await createSample(window);
    await scenes({
      window,
      page,
      home,
      show,
      takeOnce: (name) => (isLook ? directory(page, name) : shoot(`${name}-light`)),
      take: async (name) => {
        if (isLook) return directory(page, name);
        for (const size of SIZES) {
          await resize(window, size);
          for (const theme of THEMES) {
            await page.emulateMedia({ colorScheme: theme });
            // Splits and lists measure themselves after a change of size.
            await page.waitForTimeout(350);
            // On a busy machine colours are still on their way.
            await page.waitForFunction(() =>
              document
                .getAnimations()
                .every(
                  ({ effect, playState }) =>
                    playState === 'finished' || effect?.getTiming().iterations === Infinity
                )
            );
            await shoot(`${name}-${theme}${size.width === SIZES[0].width ? '' : `-${size.width}`}`);
          }
        }
        await resize(window, SIZES[0]);
        await page.emulateMedia({ colorScheme: 'light' });
      }
    });
  } finally {
    await window.close();
    if (isLook) rmSync(home, { recursive: true, force: true });
  }
}

async function capture(session: CDPSession, file: string): Promise<void> {
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  writeFileSync(file, Buffer.from(data, 'base64'));
}

async function resize({ app }: ElectronWindow, size: { width: number; height: number }): Promise<void> {
  await app.evaluate(({ BrowserWindow }, { width, height }) => {
    BrowserWindow.getAllWindows()[0]?.setContentSize(width, height);
  }, size);
}
