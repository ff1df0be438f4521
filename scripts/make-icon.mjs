// Renders resources/icon.svg to resources/icon.png (512 x 512, transparent corners). Run it after a change:
//   node scripts/electron-runtime.mjs electron --no-sandbox scripts/make-icon.mjs
import { app, BrowserWindow } from 'electron';
import { readFileSync, writeFileSync } from 'node:fs';

const SIZE = 512;
const at = (name) => new URL(`../resources/${name}`, import.meta.url);

app.disableHardwareAcceleration();
app.whenReady().then(async () => {
  const window = new BrowserWindow({
    width: SIZE,
    height: SIZE,
    show: false,
    frame: false,
    transparent: true
  });
  const svg = readFileSync(at('icon.svg'), 'utf8');
  const page = `<style>body{margin:0;overflow:hidden}svg{display:block}</style>${svg}`;
  await window.loadURL(`data:text/html;base64,${Buffer.from(page).toString('base64')}`);
  // The canvas keeps the alpha channel, which a capture of the window loses on some displays.
  const png = await window.webContents.executeJavaScript(`new Promise((done, fail) => {
    const image = new Image();
    image.onload = () => {
      const canvas = Object.assign(document.createElement('canvas'), { width: ${SIZE}, height: ${SIZE} });
      canvas.getContext('2d').drawImage(image, 0, 0, ${SIZE}, ${SIZE});
      done(canvas.toDataURL('image/png'));
    };
    image.onerror = () => fail(new Error('the icon cannot be drawn'));
    image.src = 'data:image/svg+xml;base64,' + btoa(document.querySelector('svg').outerHTML);
  })`);
  writeFileSync(at('icon.png'), Buffer.from(png.slice(png.indexOf(',') + 1), 'base64'));
  app.quit();
});
