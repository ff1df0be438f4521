/** Clusters as the window makes and changes them, and where their passwords are. */
import fs from 'node:fs';
import path from 'node:path';
import { rootCertificates } from 'node:tls';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClusterVerbHandlers } from '../../../src-main/verbs/absent-cluster-verbs.ts';
import { verbRequests } from '../../../src-main/contract/verbs/validate.ts';
import { keyChainCipher } from '../../../src-main/hosting/key-chain.ts';
import { removeUnpacked } from '../../support/golden.ts';
import { HostWorld } from './host-world.ts';

const PASSWORD = 'not-to-be-seen';
let world: HostWorld;
let verbs: ClusterVerbHandlers;

beforeEach(() => {
  world = new HostWorld();
  verbs = world.start();
});
afterEach(() => world.end());
afterAll(removeUnpacked);

describe('clusters of stopped nodes', () => {
  it('are made of nodes of the list, and tell who belongs to them', async () => {
    const [one, two] = [world.node('one'), world.node('two')];
    const made = await verbs.createCluster({ name: 'trio', nodeIds: [one.id, two.id] });
    expect(made).toMatchObject({
      name: 'trio',
      title: 'trio',
      kind: 'local',
      isImplied: false,
      clusterSize: 2
    });
    expect(made.members.map(({ name, nodeId }) => [name, nodeId])).toEqual([
      ['one', one.id],
      ['two', two.id]
    ]);
    expect(await verbs.listClusters({})).toEqual([made]);
    expect(await verbs.clusterOfNode({ nodeId: two.id })).toEqual(made);
    expect(world.events.filter(({ kind }) => kind === 'clusters').at(-1)).toEqual({
      kind: 'clusters',
      clusters: [made]
    });
  });

  it('take further nodes, but none that is in another cluster', async () => {
    const [one, two, three] = [world.node('one'), world.node('two'), world.node('three')];
    await verbs.createCluster({ name: 'a', nodeIds: [one.id] });
    await verbs.createCluster({ name: 'b', nodeIds: [two.id] });
    expect((await verbs.addClusterNode({ cluster: 'a', nodeId: three.id })).clusterSize).toBe(2);
    await expect(verbs.addClusterNode({ cluster: 'a', nodeId: two.id })).rejects.toThrow(
      'member of the cluster "b"'
    );
    await expect(verbs.addClusterAddress({ cluster: 'a', url: 'http://node:2113' })).rejects.toThrow(
      'has no addresses'
    );
  });

  it('keep at least one member', async () => {
    const [one, two] = [world.node('one'), world.node('two')];
    const { members } = await verbs.createCluster({ name: 'a', nodeIds: [one.id, two.id] });
    const left = await verbs.removeClusterMember({ cluster: 'a', memberId: members[0]!.id });
    expect(left.members.map(({ name }) => name)).toEqual(['two']);
    await expect(verbs.removeClusterMember({ cluster: 'a', memberId: members[1]!.id })).rejects.toThrow(
      'last member'
    );
  });

  it('are not made where they make no sense', async () => {
    const one = world.node('one');
    await verbs.createCluster({ name: 'a', nodeIds: [one.id] });
    await expect(async () => verbs.createCluster({ name: 'a', urls: ['http://n:1'] })).rejects.toThrow(
      'already'
    );
    await expect(async () => verbs.createCluster({ name: 'b' })).rejects.toThrow('not both');
    await expect(async () => verbs.createCluster({ name: 'b', urls: ['http://n:1'] })).rejects.toThrow(
      'size'
    );
  });

  it('leave a node that is in none a cluster of one, which has nothing to change', async () => {
    const alone = world.node('alone');
    const entry = await verbs.clusterOfNode({ nodeId: alone.id });
    expect(entry).toMatchObject({ title: 'alone', isImplied: true, clusterSize: 1 });
    expect(await verbs.listClusters({})).toEqual([]);
    await expect(verbs.renameCluster({ cluster: entry.name, name: 'x' })).rejects.toThrow('no cluster');
    await expect(verbs.forgetCluster({ cluster: entry.name })).rejects.toThrow('no cluster');
    expect((await verbs.autoScavengeStatus({ cluster: entry.name })).members).toHaveLength(1);
  });
});

describe('a new name', () => {
  it('takes the schedule and the password along', async () => {
    const one = world.node('one');
    await verbs.createCluster({ name: 'a', nodeIds: [one.id] });
    await verbs.configureAutoScavenge({ cluster: 'a', schedule: '0 3 * * sun' });
    expect(await verbs.renameCluster({ cluster: 'a', name: 'b' })).toMatchObject({ name: 'b', title: 'b' });
    expect((await verbs.autoScavengeStatus({ cluster: 'b' })).schedule).toBe('0 3 * * 0');
    await expect(async () => verbs.autoScavengeStatus({ cluster: 'a' })).rejects.toThrow(
      'no longer in the list'
    );
  });

  it('is not one that another cluster has or had', async () => {
    const [one, two] = [world.node('one'), world.node('two')];
    await verbs.createCluster({ name: 'a', nodeIds: [one.id] });
    await verbs.createCluster({ name: 'b', nodeIds: [two.id] });
    await verbs.configureAutoScavenge({ cluster: 'b', schedule: '0 3 * * sun' });
    await verbs.forgetCluster({ cluster: 'b' });
    await expect(verbs.renameCluster({ cluster: 'a', name: 'b' })).rejects.toThrow(
      'one whose history is kept'
    );
  });
});

describe('the password of running nodes', () => {
  const everyFile = (): string =>
    fs
      .readdirSync(world.home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => fs.readFileSync(path.join(entry.parentPath, entry.name), 'latin1'))
      .join('\n');

  beforeEach(async () => {
    await verbs.createCluster({ name: 'live', urls: ['http://127.0.0.1:1/'], clusterSize: 1 });
  });

  it('lies in a file only its owner can read where the system has no key chain', async () => {
    const entry = await verbs.setClusterAccess({ cluster: 'live', user: 'ops', password: PASSWORD });
    expect(entry).toMatchObject({ user: 'ops', password: 'file' });
    const file = path.join(world.home, 'clusters', 'live', 'password.txt');
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.readFileSync(file, 'utf8')).toBe(`${PASSWORD}\n`);
  });

  it('lies in the key chain where there is one, and nowhere in readable form', async () => {
    await verbs.setClusterAccess({ cluster: 'live', user: 'ops', password: PASSWORD });
    await world.stop();
    const turned = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => byte ^ 0x55));
    world.cipher = {
      encrypt: (text) => turned(Buffer.from(text)),
      decrypt: (bytes) => turned(bytes).toString()
    };
    verbs = world.start();
    const entry = await verbs.setClusterAccess({ cluster: 'live', user: 'ops', password: PASSWORD });
    expect(entry.password).toBe('keyChain');
    expect(everyFile()).not.toContain(PASSWORD);
    const { checklist } = await verbs.autoScavengeStatus({ cluster: 'live' });
    expect(checklist.find(({ item }) => item === 'credentials')?.isOk).toBe(true);
    await world.stop();
    world.cipher = undefined;
    verbs = world.start();
    const without = await verbs.autoScavengeStatus({ cluster: 'live' });
    expect(without.checklist.find(({ item }) => item === 'credentials')).toMatchObject({
      isOk: false,
      action: 'setAccess'
    });
    expect(without.checklist.find(({ item }) => item === 'credentials')?.words).toContain('key chain');
  });

  it('is never told to the page', async () => {
    const entry = await verbs.setClusterAccess({ cluster: 'live', user: 'ops', password: PASSWORD });
    const told = [
      entry,
      await verbs.listClusters({}),
      await verbs.autoScavengeStatus({ cluster: 'live' }),
      world.events
    ];
    expect(JSON.stringify(told)).not.toContain(PASSWORD);
    expect(JSON.stringify(told)).not.toContain(Buffer.from(`ops:${PASSWORD}`).toString('base64'));
  });

  it('is forgotten with its user and with its cluster', async () => {
    await verbs.setClusterAccess({ cluster: 'live', user: 'ops', password: PASSWORD });
    expect((await verbs.setClusterAccess({ cluster: 'live', user: 'other' })).password).toBe('none');
    await verbs.setClusterAccess({ cluster: 'live', user: 'other', password: PASSWORD });
    await verbs.forgetCluster({ cluster: 'live' });
    expect(everyFile()).not.toContain(PASSWORD);
  });

  it('is not asked of a key chain that keeps its key in the program', () => {
    const safeStorage = (backend: string, isAvailable = true) => ({
      isEncryptionAvailable: () => isAvailable,
      encryptString: (text: string) => Buffer.from(text),
      decryptString: (bytes: Buffer) => bytes.toString(),
      getSelectedStorageBackend: () => backend as 'basic_text'
    });
    expect(keyChainCipher(safeStorage('basic_text'), 'linux')).toBeUndefined();
    expect(keyChainCipher(safeStorage('gnome_libsecret', false), 'linux')).toBeUndefined();
    expect(keyChainCipher(safeStorage('gnome_libsecret'), 'linux')).toBeDefined();
    expect(keyChainCipher(safeStorage('basic_text'), 'darwin')).toBeDefined();
  });
});

describe('the certificate authority', () => {
  it('enters through a dialog, and only as a certificate', async () => {
    await verbs.createCluster({ name: 'live', urls: ['https://127.0.0.1:1'], clusterSize: 1 });
    expect(await verbs.chooseClusterAuthority({ cluster: 'live' })).toBeNull();
    world.chosen = path.join(world.directory, 'ca.pem');
    fs.writeFileSync(world.chosen, '-----BEGIN PRIVATE KEY-----\n');
    await expect(verbs.chooseClusterAuthority({ cluster: 'live' })).rejects.toThrow(
      'does not contain a certificate'
    );
    fs.writeFileSync(world.chosen, '-----BEGIN CERTIFICATE-----\n');
    await expect(verbs.chooseClusterAuthority({ cluster: 'live' })).rejects.toThrow(
      'does not contain a certificate'
    );
    fs.writeFileSync(world.chosen, rootCertificates[0]!);
    expect(await verbs.chooseClusterAuthority({ cluster: 'live' })).toMatchObject({
      certificateAuthority: 'ca.pem'
    });
    expect(await verbs.forgetClusterAuthority({ cluster: 'live' })).toMatchObject({
      certificateAuthority: null
    });
  });
});

describe('the door', () => {
  it.each([
    ['addClusterAddress', { cluster: 'a', url: 'http://user:secret@node:2113' }],
    ['addClusterAddress', { cluster: 'a', url: 'file:///etc/passwd' }],
    ['addClusterAddress', { cluster: 'a', url: 'http://node:2113/admin' }],
    ['createCluster', { name: '../out', nodeIds: ['x'] }],
    ['renameCluster', { cluster: 'a', name: 'a/b' }],
    ['createCluster', { name: 'a', nodeIds: ['x'], dataDirectory: '/etc' }],
    ['setClusterAccess', { cluster: 'a', user: 'a:b' }],
    ['setQuietHours', { cluster: 'a', quietHours: { from: '8', to: '20:00', days: [1] } }],
    ['setQuietHours', { cluster: 'a', quietHours: { from: '08:00', to: '20:00', days: [] } }],
    ['chooseLicence', { choice: 'file', file: '/etc/passwd' }],
    ['startNodeService', { nodeId: 'x', usersFile: '/etc/passwd' }]
  ] as const)('lets no %s in with %j', (verb, request) => {
    expect(verbRequests[verb].safeParse(request).success).toBe(false);
  });
});
