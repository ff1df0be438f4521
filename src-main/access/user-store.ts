/**
 * The users of the node service, in one file that only its owner can access. Each change reads the file again
 * and replaces it as a whole; a file that cannot be read is an error, never an empty list.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { EngineError, invalidRequest } from '../../src-core/index.ts';
import { editAlone } from '../settings/edit-lock.ts';
import { writeJsonFile } from '../settings/json-file.ts';
import { writePrivateFile } from '../settings/private-file.ts';
import { readNamedText } from '../settings/named-file.ts';
import { hashPassword, type PasswordHash } from './password-hash.ts';

/** With the server's names. `$admin` in the requirement means `$admins`. */
export type Role = '$admins' | '$ops';

const userEntry = z.object({
  name: z.string().min(1),
  roles: z.array(z.enum(['$admins', '$ops'])),
  password: z.object({
    salt: z.string(),
    hash: z.string(),
    cost: z.number().int().min(2).max(1_048_576),
    blockSize: z.number().int().min(1).max(32),
    parallelism: z.number().int().min(1).max(16)
  })
});
const usersFile = z.object({ users: z.array(userEntry) });

export interface User {
  name: string;
  roles: Role[];
  password: PasswordHash;
}

const NAME = /^[^\s:\p{Cc}]{1,100}$/u;
/** Roughly the most that HTTP clients send in a header. */
const LONGEST_PASSWORD = 1000;
const SHORTEST_PASSWORD = 8;
/** Enough for some 100,000 users. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;
const ADMINISTRATOR = 'admin';

export class UserStore {
  readonly file: string;
  #users: User[] = [];
  /** Identity of the file's content when it was read. */
  #stamp = '';

  constructor(file: string) {
    this.file = file;
  }

  exists(): boolean {
    return existsSync(this.file);
  }

  /** Reads the file again only when it changed. */
  list(): readonly User[] {
    const stamp = this.#stampOf();
    if (stamp !== this.#stamp) {
      this.#users = this.#read();
      this.#stamp = stamp;
    }
    return this.#users;
  }

  find(name: string): User | undefined {
    return this.list().find((user) => user.name === name);
  }

  /** Throws InvalidRequest if the name exists, or for a name or password that cannot be used. */
  async add(name: string, roles: Role[], password: string): Promise<void> {
    if (!NAME.test(name)) {
      throw invalidRequest(`"${name}" cannot be a user's name.`, 'name', 'Use no spaces and no colon.');
    }
    this.#refuseKnown(name);
    const hash = await checkedHash(password);
    editAlone(this.file, () => {
      // Another one may have been added while this password was hashed.
      this.#refuseKnown(name);
      this.#write([...this.#present(), { name, roles, password: hash }]);
    });
  }

  async changePassword(name: string, password: string): Promise<void> {
    this.#known(name);
    const hash = await checkedHash(password);
    editAlone(this.file, () =>
      this.#write(this.list().map((user) => (user.name === name ? { ...user, password: hash } : user)))
    );
    if (name === ADMINISTRATOR) this.#forgetInitialPassword();
  }

  remove(name: string): void {
    editAlone(this.file, () => {
      this.#known(name);
      this.#write(this.list().filter((user) => user.name !== name));
    });
    if (name === ADMINISTRATOR) this.#forgetInitialPassword();
  }

  /**
   * For a service that starts without users: an administrator, its password in a file only the owner reads. The file
   * exists until the password is used or no longer valid: see noteLogIn.
   */
  async createAdministrator(): Promise<{ passwordFile: string }> {
    const password = randomBytes(18).toString('base64url');
    await this.add(ADMINISTRATOR, ['$admins'], password);
    const passwordFile = this.#passwordFile();
    writePrivateFile({ file: passwordFile, content: `${password}\n`, isSecret: true });
    return { passwordFile };
  }

  /** After a log-in: removes the file with the administrator's first password if it was this one. */
  noteLogIn(name: string, password: string): void {
    if (name === ADMINISTRATOR && this.#initialPassword() === password) this.#forgetInitialPassword();
  }

  #initialPassword(): string | undefined {
    try {
      const file = this.#passwordFile();
      return readNamedText({ file, what: 'file of the first password', field: '--users' }).trim();
    } catch {
      return undefined; // it was used, or never existed
    }
  }

  #forgetInitialPassword(): void {
    rmSync(this.#passwordFile(), { force: true });
  }

  #passwordFile(): string {
    return path.join(path.dirname(this.file), 'admin-password.txt');
  }

  #present(): readonly User[] {
    return this.exists() ? this.list() : [];
  }

  #refuseKnown(name: string): void {
    if (!this.#present().some((user) => user.name === name)) return;
    throw invalidRequest(`There is already a user "${name}".`, 'name', 'Change the password instead.');
  }

  #known(name: string): void {
    if (this.find(name)) return;
    throw invalidRequest(`There is no user "${name}".`, 'name', 'Run "winnow user list".');
  }

  #stampOf(): string {
    try {
      const { mtimeMs, size, ino } = statSync(this.file);
      return `${mtimeMs} ${size} ${ino}`;
    } catch {
      return 'missing';
    }
  }

  #read(): User[] {
    if (!this.exists()) return [];
    const text = readNamedText({
      file: this.file,
      what: 'users file',
      field: '--users',
      maxBytes: MAX_FILE_BYTES
    });
    try {
      return usersFile.parse(JSON.parse(text)).users;
    } catch (cause) {
      throw new EngineError({
        code: 'InvalidRequest',
        message: `The users file ${this.file} cannot be read.`,
        remedy: 'Correct it, or move it away, then add the users again.',
        details: { field: '--users', file: this.file },
        cause
      });
    }
  }

  #write(users: readonly User[]): void {
    writeJsonFile(this.file, { users });
    this.#stamp = '';
  }
}

async function checkedHash(password: string): Promise<PasswordHash> {
  if (password.length < SHORTEST_PASSWORD || password.length > LONGEST_PASSWORD) {
    throw invalidRequest(
      `A password has ${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters.`,
      'password',
      'Choose another one.'
    );
  }
  return hashPassword(password);
}
