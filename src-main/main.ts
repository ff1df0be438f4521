/** Start-up of the window's application, top to bottom. No logic: every line delegates to the file it names. */
import {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  ipcMain,
  Menu,
  nativeTheme,
  Notification,
  protocol,
  safeStorage,
  session,
  shell,
  utilityProcess
} from 'electron';
import path from 'node:path';
import { errorReportOf } from './contract/error-report.ts';
import { ActivityLog } from './activity/activity-log.ts';
import { recordedEngine } from './activity/recorded-engine.ts';
import type { ActivityEntry } from './contract/operations/activity-reports.ts';
import { startUtilityEngine } from './engine/engine-host.ts';
import { applicationVerbs } from './verbs/application-verbs.ts';
import { EVENT_CHANNEL } from './contract/verbs/channels.ts';
import type { Language, WindowEvent } from './contract/verbs/workbench-contract.ts';
import { BackupSchedules } from './verbs/backup-schedules.ts';
import { scheduledAsWork } from './verbs/scheduled-work.ts';
import { EngineKeeper } from './verbs/engine-keeper.ts';
import { isOwnPage, startIpcServer } from './ipc/ipc-server.ts';
import { preferencesOf } from './verbs/settings-verbs.ts';
import { answerVerb } from './verbs/answer-verb.ts';
import { verbHandlers } from './verbs/verb-handlers.ts';
import { WorkKeeper } from './verbs/work-keeper.ts';
import { NodeRegistry } from './settings/node-registry.ts';
import { WindowSettings } from './settings/window-settings.ts';
import { winnowHome } from './settings/winnow-home.ts';
import { keyChainCipher } from './hosting/key-chain.ts';
import { closeBeforeQuit, startWindowHost } from './hosting/window-host.ts';
import { APP_ORIGIN, APP_SCHEME, appSchemeHandler } from './window/app-scheme.ts';
import {
  chooseBackupTarget,
  chooseConfiguration,
  chooseDirectory,
  choosePath
} from './window/choose-path.ts';
import { chooseCertificate, chooseLicence } from './window/choose-file.ts';
import { chooseSaveFile } from './window/choose-save-file.ts';
import { hardenContents, hardenSession } from './window/hardening.ts';
import { createMainWindow } from './window/main-window.ts';
import { ApplicationMenu } from './window/menu.ts';
import { bringForward } from './window/bring-forward.ts';
import { directoryOfSecond, directoryToOpen, type SecondStart } from './window/open-argument.ts';
import { limitPageMemory } from './window/page-memory.ts';
import { showDirectory } from './window/show-directory.ts';
import { showNotice } from './window/show-notice.ts';
import { applicationVersions } from './verbs/versions.ts';
import { speakInWindow, windowLanguage } from './window/texts/window-texts.ts';
import { WorkNotice } from './window/work-notice.ts';
import { WorkProgress } from './window/work-progress.ts';
import { applyZoom } from './settings/zoom.ts';

const here = import.meta.dirname;
const developmentUrl = app.isPackaged ? undefined : process.env['ELECTRON_RENDERER_URL'];
const ownOrigin = developmentUrl === undefined ? APP_ORIGIN : new URL(developmentUrl).origin;
const home = winnowHome(process.env, process.platform);

app.setPath('userData', path.join(home, 'window'));
protocol.registerSchemesAsPrivileged([
  { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } }
]);
// Forcing the sandbox despite --no-sandbox (root in a container) makes every child process crash.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
limitPageMemory(app.commandLine);
hardenContents(app, (url) => isOwnPage({ url, parent: null }, ownOrigin));

const named = directoryToOpen({
  argv: process.argv,
  isPackaged: app.isPackaged,
  workingDirectory: process.cwd()
});
if (!app.requestSingleInstanceLock({ directory: named ?? null } satisfies SecondStart)) app.exit();
app.on('window-all-closed', () => app.quit());
// Until ours is built: Electron would build one of its own, which nobody sees.
Menu.setApplicationMenu(null);

// Not `await app.whenReady()`: Electron waits for this module before it is ready.
void app.whenReady().then(() => {
  hardenSession(session.defaultSession);
  const settings = new WindowSettings(home);
  const language = (): Language =>
    windowLanguage(settings.values.language, app.getPreferredSystemLanguages());
  protocol.handle(APP_SCHEME, appSchemeHandler(path.join(here, '../renderer'), language));
  speakInWindow(language());
  nativeTheme.themeSource = settings.values.theme;
  const registry = new NodeRegistry(home, Date.now);

  const send = (event: WindowEvent): void => {
    BrowserWindow.getAllWindows().forEach((window) => window.webContents.send(EVENT_CHANNEL, event));
    if (event.kind === 'nodes') menu.change({ recent: event.nodes });
  };
  const menu = new ApplicationMenu({
    platform: process.platform,
    isPackaged: app.isPackaged,
    recent: registry.list(),
    run: (id) => send({ kind: 'command', id })
  });
  const progress = new WorkProgress(() => window);
  const notice = new WorkNotice({
    isWanted: () => settings.values.notices,
    isWatched: () => window.isFocused(),
    show: (said, nodeId) =>
      showNotice(Notification, said, () => {
        bringForward(window);
        if (nodeId !== null) send({ kind: 'open', nodeId });
      })
  });
  const work = new WorkKeeper({
    // Read each time: a test may replace the clock.
    clock: () => Date.now(),
    onChange: (snapshot) => {
      send({ kind: 'work', snapshot });
      progress.show(work.runningAsked());
      notice.hear(snapshot);
    },
    onForget: (id) => send({ kind: 'workForgotten', id })
  });
  const window = createMainWindow({
    url: developmentUrl ?? `${APP_ORIGIN}/`,
    preload: path.join(here, '../preload/preload.cjs'),
    settings,
    // Called long after the service below was started.
    running: () => [...work.runningAsked(), ...service.running()],
    stopAll: () => Promise.all([work.stopAll(), service.close()]).then(() => undefined),
    endEngine: () => ownEngine.kill()
  });
  const activity = new ActivityLog({ home, clock: Date.now });
  const log = {
    write: (entry: ActivityEntry): void => {
      activity.write(entry);
      send({ kind: 'activity' });
    }
  };
  const ownEngine = startUtilityEngine((file) =>
    utilityProcess.fork(file, [], { serviceName: 'Winnow engine' })
  );
  const engine = recordedEngine(ownEngine, { log, clock: Date.now, door: 'window' });
  const keeper = new EngineKeeper(engine, (state) => send({ kind: 'engine', engine: state }));
  app.on('second-instance', (_event, _argv, _workingDirectory, said) => {
    bringForward(window);
    const dataDirectory = directoryOfSecond(said);
    if (dataDirectory === undefined) return;
    const { id } = registry.open({ dataDirectory });
    send({ kind: 'nodes', nodes: registry.list() });
    send({ kind: 'open', nodeId: id });
  });
  const service = startWindowHost({
    home,
    engine: recordedEngine(ownEngine, { log, clock: Date.now, door: 'schedule' }),
    serviceEngine: recordedEngine(ownEngine, { log, clock: Date.now, door: 'http' }),
    work,
    nodes: registry,
    clock: Date.now,
    environment: process.env,
    cipher: keyChainCipher(safeStorage, process.platform),
    chooseCertificate: () => chooseCertificate(dialog, window),
    chooseLicence: () => chooseLicence(dialog, window),
    log: (level, message) => void (level === 'info' ? undefined : console.error(message)),
    send
  });
  const backups = new BackupSchedules({
    home,
    // Read each time: a test may replace the clock.
    clock: () => Date.now(),
    engine: recordedEngine(ownEngine, { log, clock: Date.now, door: 'schedule' }),
    registry,
    ...scheduledAsWork(work),
    onChange: () => send({ kind: 'nodes', nodes: registry.list() }),
    onFault: (error) => console.error(errorReportOf(error).message)
  });
  backups.start();
  closeBeforeQuit(app, [() => service.close(), () => backups.close(), () => engine.close()]);

  const zoom = (percent: number): void => applyZoom(window.webContents, percent);
  const applyLanguage = (): void => {
    speakInWindow(language());
    menu.change({});
  };
  const preferences = () => preferencesOf(settings);
  const application = applicationVerbs({
    settings: { home, environment: process.env, registry, settings, applyZoom: zoom, applyLanguage, send },
    tellObstacles: (commands) => menu.change({ obstructed: new Set(commands) }),
    activity: {
      activity,
      environment: applicationVersions(app).map(({ name, version }) => `${name}: ${version}`)
    },
    about: {
      versions: applicationVersions(app),
      licenceFiles: ['.', '../renderer'].map((part) => path.join(here, part, 'third-party-licences.md')),
      billOfMaterials: path.join(here, 'winnow.cdx.json'),
      chooseSaveFile: (proposal) => chooseSaveFile(dialog, window, proposal)
    }
  });

  const handlers = verbHandlers({
    version: app.getVersion(),
    platform: process.platform,
    home,
    engine,
    engineState: () => keeper.state,
    restartEngine: () => keeper.restart(),
    registry,
    work,
    openNodeId: named === undefined ? null : registry.open({ dataDirectory: named }).id,
    theme: () => settings.values.theme,
    setTheme: (theme) => {
      nativeTheme.themeSource = theme;
      settings.change({ theme });
    },
    chooseDirectory: () => chooseDirectory(dialog, window),
    chooseConfiguration: () => chooseConfiguration(dialog, window),
    chooseBackupTarget: () => chooseBackupTarget(dialog, window),
    choosePath: (purpose) => choosePath(dialog, window, purpose),
    chooseSaveFile: (proposal) => chooseSaveFile(dialog, window, proposal),
    copyText: (text) => clipboard.writeText(text),
    showDirectory: (directory) => showDirectory(shell, directory),
    clusterVerbs: service.verbs,
    applicationVerbs: application,
    preferences,
    send
  });
  startIpcServer({
    ipcMain,
    ownOrigin,
    answer: (verb, request, options) => answerVerb(handlers, verb, request, options)
  });
});
