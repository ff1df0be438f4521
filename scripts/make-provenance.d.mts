export interface PackageProvenance {
  command: string;
  isTrial: boolean;
  commit: { id: string; isChanged: boolean } | undefined;
  runtimes:
    | {
        electron: {
          version: string;
          sha256: string;
          archive: string;
          archiveSha256: string;
          isPublished: boolean;
        };
        node: { version: string; sha256: string; isPublished: boolean };
      }
    | undefined;
  tools: Record<string, string>;
  lock: string;
  homepage: string;
}
export function writeProvenance(file: string, about: PackageProvenance): Promise<void>;
export function writeSums(directory: string): Promise<void>;
