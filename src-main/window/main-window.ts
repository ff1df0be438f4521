/**
 * The only window: created hidden, shown as soon as its first frame is painted; its place and size are remembered.
 * Closing asks if work is running. The page runs without Node, in its own world and in the sandbox.
 */
import { BrowserWindow, dialog, nativeTheme, screen, type MessageBoxOptions, type Rectangle } from 'electron';
import type { WindowSettings } from '../settings/window-settings.ts';
import { closeQuestion, type RunningWork } from './close-question.ts';
import { reloadAfterCrash } from './page-crash.ts';
import { stopBeforeClosing } from './stop-and-close.ts';
import { applyZoom } from '../settings/zoom.ts';
import { windowTexts } from './texts/window-texts.ts';

export interface MainWindowParts {
  url: string;
  preload: string;
  settings: WindowSettings;
  running: () => RunningWork[];
  /** Stops running work and waits for it; called if the user closes anyway. */
  stopAll: () => Promise<void>;
  /** Ends the engine at once if it does not stop in time. */
  endEngine: () => void;
}

const MINIMUM = { width: 1024, height: 640 };
const FIRST = { width: 1280, height: 800 };
/** The same as --ground in src-renderer/tokens.css: the window must not flash in another colour before the first paint. */
const GROUND = { light: '#f7f7f5', dark: '#17181a' };

/** Milliseconds until the remains of a dead page are cleared. */
const AFTER_CRASH_MS = 100;

export function createMainWindow(parts: MainWindowParts): BrowserWindow {
  const { bounds, isMaximized } = parts.settings.values;
  const window = new BrowserWindow({
    ...FIRST,
    ...(bounds && isOnScreen(bounds) ? bounds : {}),
    minWidth: MINIMUM.width,
    minHeight: MINIMUM.height,
    title: 'Winnow',
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? GROUND.dark : GROUND.light,
    webPreferences: {
      preload: parts.preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false
    }
  });
  if (isMaximized) window.maximize();
  const show = (): void => {
    if (!window.isVisible()) window.show();
  };
  window.once('ready-to-show', show);
  // On a busy machine a hidden window can miss its first frame: it would never be ready, and nobody would see it.
  window.webContents.once('did-finish-load', show);
  // A reloaded page starts at the zoom that Chromium remembers for it.
  window.webContents.on('did-finish-load', () =>
    applyZoom(window.webContents, parts.settings.values.zoomPercent)
  );
  reloadAfterCrash(window.webContents, {
    clock: () => performance.now(),
    log: (message) => console.error(message),
    later: (action) => setTimeout(action, AFTER_CRASH_MS),
    giveUp: (reason) => askToReload(window, reason)
  });
  guardClosing(window, parts);
  void window.loadURL(parts.url);
  return window;
}

/** Without a page the window could not even show why it is empty. */
function askToReload(window: BrowserWindow, reason: string): void {
  const { crash } = windowTexts();
  const box: MessageBoxOptions = {
    type: 'error',
    message: crash.message,
    detail: crash.detail(reason),
    buttons: [crash.reload, crash.leave],
    defaultId: 0,
    cancelId: 1,
    noLink: true
  };
  void dialog.showMessageBox(window, box).then(({ response }) => {
    if (response === 0 && !window.isDestroyed()) window.webContents.reload();
  });
}

/** A window on a screen that no longer exists could not be reached. */
function isOnScreen(bounds: Rectangle): boolean {
  const area = screen.getDisplayMatching(bounds).workArea;
  return (
    bounds.x < area.x + area.width &&
    bounds.x + bounds.width > area.x &&
    bounds.y >= area.y &&
    bounds.y < area.y + area.height
  );
}

function guardClosing(window: BrowserWindow, parts: MainWindowParts): void {
  let mayClose = false;
  let isStopping = false;
  window.on('close', (event) => {
    parts.settings.change({ bounds: window.getNormalBounds(), isMaximized: window.isMaximized() });
    const running = parts.running();
    if (mayClose || (running.length === 0 && !isStopping)) return;
    event.preventDefault();
    // Already answered.
    if (isStopping) return;
    const question = closeQuestion(running);
    void dialog.showMessageBox(window, question.box).then(async ({ response }) => {
      if (response !== question.closeButton) return;
      isStopping = true;
      await stopBeforeClosing({
        ...parts,
        tell: (box) => dialog.showMessageBox(window, box),
        later: (action, ms) => {
          const timer = setTimeout(action, ms);
          return () => clearTimeout(timer);
        }
      });
      mayClose = true;
      window.close();
    });
  });
}
