/** `winnow serve` after SIGHUP, which a service manager sends as "reload": a real process and its real connections. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { UserStore } from '../../../src-main/access/user-store.ts';
import { runWinnow } from '../cli/run-winnow.ts';
import { PASSWORD, basic, startServer, type RunningServer } from './running-server.ts';

let directory: string;
let certificate: string;
let key: string;
let configuration: string;
let service: RunningServer;

beforeAll(async () => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-reload-'));
  const sample = path.join(directory, 'sample');
  await runWinnow(['sample', sample, '--size', '1MiB', '--chunk-size', '256KiB', '--yes']);
  certificate = path.join(directory, 'cert.pem');
  key = path.join(directory, 'key.pem');
  configuration = path.join(directory, 'node.yaml');
  makeCertificate('first.example');
  writeConfiguration(10);
  service = await startServer({
    home: path.join(directory, 'home'),
    words: ['--config', configuration, '--cert', certificate, '--key', key]
  });
}, 60_000);
afterAll(async () => {
  await service.stop();
  fs.rmSync(directory, { recursive: true, force: true });
});

function makeCertificate(name: string): void {
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
      ...['-subj', `/CN=${name}`, '-keyout', key, '-out', certificate]
    ],
    { stdio: 'ignore' }
  );
}

function writeConfiguration(historyDays: number): void {
  const lines = [`Db: ${path.join(directory, 'sample')}`, `ScavengeHistoryMaxAge: ${historyDays}`, ''];
  fs.writeFileSync(configuration, lines.join('\n'));
}

/** The name in the certificate that a new connection is shown. */
async function shownName(): Promise<string | string[] | undefined> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve, reject) => {
    const socket = tls.connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().subject.CN);
      socket.end();
    });
    socket.on('error', reject);
  });
}

/** Sends SIGHUP and waits for the line that it leaves in the log. */
async function reload(): Promise<string> {
  const before = service.log().length;
  service.child.kill('SIGHUP');
  await expect.poll(() => service.log().slice(before), { timeout: 20_000 }).toMatch(/[Rr]eloaded/);
  return service.log().slice(before);
}

it('shows a renewed certificate from then on', async () => {
  expect(await shownName()).toBe('first.example');
  makeCertificate('second.example');
  expect(await shownName()).toBe('first.example');
  expect(await reload()).toContain('The certificate and its key were read again.');
  expect(await shownName()).toBe('second.example');
});

it('keeps its certificate where the new one cannot be used, and says which file is wrong', async () => {
  const good = fs.readFileSync(key);
  fs.writeFileSync(key, 'not a key');
  const said = await reload();
  expect(said).toContain('Not reloaded, the service continues as it was');
  expect(said).toContain('key.pem');
  expect(await shownName()).toBe('second.example');
  fs.writeFileSync(key, good);
});

it('names settings that changed and need a restart, and continues with the former ones', async () => {
  writeConfiguration(20);
  expect(await reload()).toContain('used after a restart: ScavengeHistoryMaxAge.');
  fs.writeFileSync(configuration, 'Db: [');
  const said = await reload();
  expect(said).toContain('Not reloaded');
  expect(said).toContain('node.yaml');
  writeConfiguration(10);
  expect(await reload()).toMatch(/"msg":"Reloaded\.[^"]*again\."/);
});

it('knows a new user without a reload', async () => {
  await new UserStore(path.join(directory, 'home', 'users.json')).add('late', ['$ops'], PASSWORD);
  const { hostname, port } = new URL(service.url);
  const status = await new Promise<string>((resolve, reject) => {
    const socket = tls.connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
    const head = [
      'GET /admin/scavenge/last HTTP/1.1',
      `Host: ${hostname}:${port}`,
      `Authorization: ${basic('late', PASSWORD)}`
    ];
    socket.write([...head, 'Connection: close', '', ''].join('\r\n'));
    socket.setEncoding('utf8').once('data', (text: string) => resolve(text.slice(0, 15)));
    socket.on('error', reject);
  });
  expect(status).toBe('HTTP/1.1 200 OK');
});
