export function electronFault(electron: {
  directory: string;
  version: string;
  base?: string;
}): Promise<string | undefined>;
export function nodeFault(node: {
  binary: string;
  version: string;
  base?: string;
}): Promise<string | undefined>;
