/**
 * The registered clusters: members that are directories of stopped nodes, or running nodes reached by
 * their own HTTP API, never both in one. One file in WINNOW_HOME, read again and replaced as a whole with each change.
 */
import { existsSync, realpathSync, renameSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { EngineError, invalidRequest, isNameForEverySystem, readRegularFile } from '../../src-core/index.ts';
import { editAlone } from './edit-lock.ts';
import { writeJsonFile } from './json-file.ts';

/** Far more than a person's clusters need. */
const MOST_BYTES = 32 * 1024 * 1024;
const clusterName = /^[\w.-]{1,60}$/;
// Made when it is first asked for, as few commands do: making a schema takes longer than reading the file.
const registered = z.lazy(() => {
  const name = z.string().regex(clusterName);
  const localCluster = z.object({
    kind: z.literal('local'),
    name,
    members: z
      .array(z.object({ dataDirectory: z.string(), indexDirectory: z.string().exactOptional() }))
      .min(1)
  });
  const remoteCluster = z.object({
    kind: z.literal('remote'),
    name,
    /** Base addresses of some nodes; the rest of the cluster is learnt from their gossip. */
    urls: z.array(z.string()).min(1),
    clusterSize: z.number().int().positive(),
    user: z.string().exactOptional(),
    certificateAuthorityFile: z.string().exactOptional()
  });
  return z.discriminatedUnion('kind', [localCluster, remoteCluster]);
});
const clustersFile = z.lazy(() => z.object({ clusters: z.array(registered) }));

export type RegisteredCluster = z.infer<typeof registered>;
export type LocalCluster = Extract<RegisteredCluster, { kind: 'local' }>;
export type RemoteCluster = Extract<RegisteredCluster, { kind: 'remote' }>;

export class ClusterRegistry {
  readonly #file: string;
  readonly #home: string;

  constructor(winnowHome: string) {
    this.#home = winnowHome;
    this.#file = path.join(winnowHome, 'clusters.json');
  }

  list(): RegisteredCluster[] {
    if (!existsSync(this.#file)) return [];
    try {
      return clustersFile.parse(JSON.parse(readRegularFile(this.#file, MOST_BYTES).toString('utf8')))
        .clusters;
    } catch (cause) {
      throw new EngineError({
        code: 'InvalidRequest',
        message: `The file of clusters ${this.#file} cannot be read.`,
        remedy: 'Correct it, or move it away, then register the clusters again.',
        details: { file: this.#file },
        cause
      });
    }
  }

  /** Throws InvalidRequest if there is none with that name. */
  get(name: string): RegisteredCluster {
    const found = this.list().find((cluster) => cluster.name === name);
    if (found) return found;
    const names = this.list().map((cluster) => cluster.name);
    throw invalidRequest(
      `There is no cluster "${name}".`,
      'NAME',
      names.length === 0 ? 'Register it: winnow cluster register.' : `There are: ${names.join(', ')}.`
    );
  }

  /** Replaces one with the same name. */
  register(cluster: RegisteredCluster): void {
    const checked = registered.safeParse(cluster);
    if (!checked.success) {
      throw invalidRequest(
        `"${cluster.name}" cannot be registered: ${checked.error.issues[0]?.message ?? 'it is not complete'}.`,
        'NAME',
        'Use letters, digits, dots, hyphens and underscores.'
      );
    }
    editAlone(this.#file, () => {
      const others = this.list().filter(({ name }) => name !== cluster.name);
      if (others.length === this.list().length) requirePortable(cluster.name);
      this.#write([...others, checked.data]);
    });
  }

  /** With its events, lease and credentials. Throws InvalidRequest if the new name is taken. */
  rename(name: string, newName: string): void {
    return editAlone(this.#file, () => {
      const cluster = this.get(name);
      if (name === newName) return;
      requirePortable(newName);
      const isTaken = this.list().some((other) => other.name === newName);
      if (isTaken || existsSync(this.directoryOf(newName))) {
        throw invalidRequest(
          `There already is a cluster "${newName}", or there was one whose history is kept.`,
          'name',
          'Choose another name.'
        );
      }
      if (existsSync(this.directoryOf(name))) renameSync(this.directoryOf(name), this.directoryOf(newName));
      this.#write(this.list().map((other) => (other.name === name ? { ...cluster, name: newName } : other)));
    });
  }

  remove(name: string): void {
    return editAlone(this.#file, () => {
      this.get(name);
      this.#write(this.list().filter((cluster) => cluster.name !== name));
    });
  }

  /** Events of the schedule, lease and credentials of a cluster. */
  directoryOf(name: string): string {
    return path.join(this.#home, 'clusters', name);
  }

  /** The local cluster that a directory is a member of; undefined if there is none. */
  memberOf(dataDirectory: string): LocalCluster | undefined {
    const wanted = realPath(dataDirectory);
    return this.list().find(
      (cluster): cluster is LocalCluster =>
        cluster.kind === 'local' &&
        cluster.members.some((member) => realPath(member.dataDirectory) === wanted)
    );
  }

  #write(clusters: RegisteredCluster[]): void {
    writeJsonFile(this.#file, { clusters });
  }
}

function realPath(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    // Nothing there (any more): opening it reports that.
    return path.resolve(directory);
  }
}

/** A folder has the name of its cluster: `..` would be another place, and a home may be carried to a system with names of its own. */
function requirePortable(name: string): void {
  if (isNameForEverySystem(name)) return;
  throw invalidRequest(
    `"${name}" cannot be the name of a cluster: its events lie in a folder of that name, and not every system has one.`,
    'NAME',
    'Choose a name that does not end with a dot and is no device of Windows, such as CON, NUL or COM1.'
  );
}
