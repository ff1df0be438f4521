// A browser for tests: Electron's Chromium with one window on an address, without preload script and without
// anything of ours in it.
//   electron browser-window.mjs URL DIRECTORY        DIRECTORY: where its profile lies
import { app, BrowserWindow } from 'electron';

const [url, profile] = process.argv.slice(-2);
app.setPath('userData', profile);
app.on('window-all-closed', () => app.quit());
void app.whenReady().then(() => {
  const window = new BrowserWindow({
    width: 1280,
    height: 800,
    webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false }
  });
  void window.loadURL(url);
});
