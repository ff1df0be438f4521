/** How a path that was chosen on a page reaches the verb that asked where; and the folders that are known without being named. */
import { NodeRegistry } from '../../settings/node-registry.ts';
import { isRemoteLocation } from '../../settings/s3-location.ts';
import type { AskOptions } from '../../contract/verbs/verb-handler.ts';
import { isUpload, PATH_QUESTIONS } from '../../contract/verbs/folder-contract.ts';

/** What came along with a request, not checked yet. */
type CameAlong =
  | { kind: 'nothing' }
  | { kind: 'folder'; path: string; mayBeNew: boolean }
  | { kind: 'file'; uploaded: unknown };

interface Asked {
  /** The request without it. */
  asked: unknown;
  chosen: CameAlong;
}

/** Only requests that ask where take a path or a file; in any other the member stays and is refused as unknown. */
export function chosenPathIn(verb: string, request: unknown): Asked {
  const none: Asked = { asked: request, chosen: { kind: 'nothing' } };
  if (typeof request !== 'object' || request === null) return none;
  const { chosenPath, uploaded, ...asked } = request as Record<string, unknown>;
  const question = PATH_QUESTIONS.find(
    (candidate) =>
      candidate.verb === verb &&
      Object.entries(candidate.when ?? {}).every(([member, value]) => asked[member] === value)
  );
  if (question !== undefined && isUpload(question)) {
    const isAlone = uploaded !== undefined && chosenPath === undefined;
    return isAlone ? { asked, chosen: { kind: 'file', uploaded } } : none;
  }
  if (!question || typeof chosenPath !== 'string' || uploaded !== undefined) return none;
  return { asked, chosen: { kind: 'folder', path: chosenPath, mayBeNew: question.mayBeNew } };
}

/** In place of a dialog: what came along, already checked. */
export function chosenOnPage({ chosenPath }: AskOptions): Promise<string | undefined> {
  return Promise.resolve(chosenPath);
}

/** The directories of known nodes, and their backup targets. */
export function knownFolders({ winnowHome, clock }: { winnowHome: string; clock: () => number }): string[] {
  return new NodeRegistry(winnowHome, clock)
    .list()
    .flatMap(({ dataDirectory, indexDirectory, backupTarget }) => [
      dataDirectory,
      indexDirectory,
      backupTarget
    ])
    .filter((folder): folder is string => folder !== undefined && !isRemoteLocation(folder));
}
