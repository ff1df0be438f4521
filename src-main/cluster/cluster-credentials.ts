/**
 * The password for a remote cluster: encrypted by the system's key chain if the window has one, else in a file
 * that only its owner can read, or from the environment for one run. It is sent only in requests to the cluster.
 */
import { existsSync, statSync, rmSync } from 'node:fs';
import path from 'node:path';
import { invalidRequest, ownFacts, readRegularFile, type PlatformFacts } from '../../src-core/index.ts';
import { writePrivateFile } from '../settings/private-file.ts';
import type { ClusterRegistry, RemoteCluster } from '../settings/cluster-registry.ts';

/** From the system's key chain; Electron has one, the command line does not. */
export interface PasswordCipher {
  encrypt(text: string): Buffer;
  /** Throws if the key chain does not provide its key. */
  decrypt(bytes: Buffer): string;
}

export type PasswordPlace = 'none' | 'keyChain' | 'file' | 'environment';
type Environment = Readonly<Record<string, string | undefined>>;

const FILE = 'password.txt';
const ENCRYPTED_FILE = 'password.encrypted';
const VARIABLE = 'WINNOW_CLUSTER_PASSWORD';
/** Of a password, encrypted or not. */
const MOST_BYTES = 64 * 1024;
const GROUP_AND_OTHERS = 0o077;

/** A value of the header Authorization; undefined if the cluster was registered without a user. */
export function authorizationOf(
  cluster: RemoteCluster,
  registry: ClusterRegistry,
  environment: Environment,
  cipher?: PasswordCipher
): string | undefined {
  if (cluster.user === undefined) return undefined;
  const password = environment[VARIABLE] ?? storedPassword(cluster, registry, cipher);
  return `Basic ${Buffer.from(`${cluster.user}:${password}`, 'utf8').toString('base64')}`;
}

/** With a cipher nothing readable stays on disk. */
export function storePassword(
  cluster: RemoteCluster,
  registry: ClusterRegistry,
  password: string,
  cipher?: PasswordCipher
): void {
  const directory = registry.directoryOf(cluster.name);
  const [file, other] = cipher ? [ENCRYPTED_FILE, FILE] : [FILE, ENCRYPTED_FILE];
  const content = cipher ? cipher.encrypt(password) : `${password}\n`;
  writePrivateFile({ file: path.join(directory, file), content, isSecret: true });
  rmSync(path.join(directory, other), { force: true });
}

export function forgetPassword(name: string, registry: ClusterRegistry): void {
  const directory = registry.directoryOf(name);
  for (const file of [FILE, ENCRYPTED_FILE]) rmSync(path.join(directory, file), { force: true });
}

export function passwordPlace(
  cluster: RemoteCluster,
  registry: ClusterRegistry,
  environment: Environment
): PasswordPlace {
  if (environment[VARIABLE] !== undefined) return 'environment';
  const directory = registry.directoryOf(cluster.name);
  if (existsSync(path.join(directory, ENCRYPTED_FILE))) return 'keyChain';
  return existsSync(path.join(directory, FILE)) ? 'file' : 'none';
}

function storedPassword(
  cluster: RemoteCluster,
  registry: ClusterRegistry,
  cipher: PasswordCipher | undefined
): string {
  const directory = registry.directoryOf(cluster.name);
  const encrypted = path.join(directory, ENCRYPTED_FILE);
  if (existsSync(encrypted)) return decrypted(cluster, encrypted, cipher);
  const file = path.join(directory, FILE);
  if (!existsSync(file)) {
    throw invalidRequest(
      `There is no password for "${cluster.user}" of the cluster "${cluster.name}".`,
      VARIABLE,
      `Register the cluster again with --password-stdin, or set ${VARIABLE}.`
    );
  }
  const isOpen = isOpenToOthers(statSync(file).mode);
  if (isOpen) {
    throw invalidRequest(
      `Users other than its owner may read ${file}.`,
      'password',
      `Run "chmod 600 ${file}", and change the password if anyone may have seen it.`
    );
  }
  return readRegularFile(file, MOST_BYTES).toString('utf8').split(/\r?\n/, 1)[0] ?? '';
}

/** Where modes say nothing the folder of the user is what protects it. */
export function isOpenToOthers(mode: number, { hasOwners }: PlatformFacts = ownFacts): boolean {
  return hasOwners && (mode & GROUP_AND_OTHERS) !== 0;
}

function decrypted(cluster: RemoteCluster, file: string, cipher: PasswordCipher | undefined): string {
  let reason = 'this process has no key chain';
  try {
    if (cipher) return cipher.decrypt(readRegularFile(file, MOST_BYTES));
  } catch (error) {
    reason = error instanceof Error ? error.message : String(error);
  }
  throw invalidRequest(
    `The password of the cluster "${cluster.name}" is in the key chain of the system, which cannot be read: ${reason}.`,
    VARIABLE,
    `Enter it again in the window, or set ${VARIABLE}.`
  );
}
