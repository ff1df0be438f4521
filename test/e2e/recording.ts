/**
 * What is kept of a test that failed: a picture of each window at the failure and, of the attempt that follows, a trace and
 * a video, whatever comes of it. Playwright does this by itself for its own browsers only.
 */
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import type { TestInfo } from '@playwright/test';
import type { ElectronApplication, Page } from 'playwright-core';
import type { ElectronLaunch } from '../support/launch-electron.ts';

const PICTURE_MS = 5000;
const SIZE = { width: 1280, height: 800 };

/** A window that a test has opened. */
interface Recorded {
  app: ElectronApplication;
  page: Page;
}

/** The attempt after a failure. */
const isRecorded = ({ retry }: TestInfo): boolean => retry > 0;

/** What a window is launched with so that it can be recorded. */
export function recordingOptions(testInfo: TestInfo): Pick<ElectronLaunch, 'recordVideo'> {
  if (!isRecorded(testInfo) || process.env['WINNOW_TEST_VIDEO'] === undefined) return {};
  return { recordVideo: { dir: testInfo.outputPath('video'), size: SIZE } };
}

export async function startRecording({ app }: Recorded, testInfo: TestInfo): Promise<void> {
  if (!isRecorded(testInfo)) return;
  const title = testInfo.titlePath.join(' > ');
  await app.context().tracing.start({ title, screenshots: true, snapshots: true, sources: true });
}

/**
 * To be called while the window is still there; what is returned, after it has been closed. A window that no longer
 * answers cannot be recorded: the failure itself says more.
 */
export async function endRecording(
  { app, page }: Recorded,
  testInfo: TestInfo
): Promise<() => Promise<void>> {
  const number = testInfo.attachments.length;
  if (testInfo.status !== testInfo.expectedStatus) {
    const picture = testInfo.outputPath(`window-${number}.png`);
    await page
      .screenshot({ path: picture, timeout: PICTURE_MS })
      .then(() => testInfo.attach('screenshot', { path: picture, contentType: 'image/png' }))
      .catch(() => undefined);
  }
  if (!isRecorded(testInfo)) return () => Promise.resolve();
  const trace = testInfo.outputPath(`trace-${number}.zip`);
  await app
    .context()
    .tracing.stop({ path: trace })
    .then(() => testInfo.attach('trace', { path: trace, contentType: 'application/zip' }))
    .catch(() => undefined);
  return async () => {
    const file = await page
      .video()
      ?.path()
      .catch(() => undefined);
    if (file !== undefined && existsSync(file)) {
      await testInfo.attach('video', { path: file, contentType: 'video/webm' });
    }
  };
}

/**
 * Playwright records videos with an ffmpeg of its own, which `playwright install ffmpeg` downloads. Where that has not
 * been done, the system's is put into its place, in a directory of ours. Must run before Playwright first looks for it:
 * in its configuration.
 */
export function offerFfmpeg(): void {
  const descriptors = createRequire(import.meta.url).resolve('playwright-core/package.json');
  const { browsers } = JSON.parse(
    readFileSync(path.join(path.dirname(descriptors), 'browsers.json'), 'utf8')
  ) as { browsers: { name: string; revision: string }[] };
  const revision = browsers.find(({ name }) => name === 'ffmpeg')?.revision ?? '';
  const own = path.join(
    process.env['PLAYWRIGHT_BROWSERS_PATH'] ?? path.join(homedir(), '.cache/ms-playwright'),
    `ffmpeg-${revision}`
  );
  if (existsSync(own)) {
    process.env['WINNOW_TEST_VIDEO'] = own;
    return;
  }
  const system = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .map((directory) => path.join(directory, 'ffmpeg'))
    .find((file) => existsSync(file));
  if (system === undefined || process.platform !== 'linux') return;
  const offered = path.join(tmpdir(), `winnow-ffmpeg-${process.getuid?.()}`);
  const link = path.join(offered, `ffmpeg-${revision}`, 'ffmpeg-linux');
  mkdirSync(path.dirname(link), { recursive: true });
  if (!existsSync(link)) symlinkSync(system, link);
  process.env['PLAYWRIGHT_BROWSERS_PATH'] = offered;
  process.env['WINNOW_TEST_VIDEO'] = system;
}
