import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { expect, test } from './fixtures.ts';
import { windowExecutable } from './installed.ts';

/** How the wire in the binary writes a switch: the characters 0 and 1. */
const OFF = 0x30;
const ON = 0x31;

test('the packaged binary runs only our own archive, and cannot be turned into Node or debugged', async () => {
  const fuses = await getCurrentFuseWire(windowExecutable);
  const states = {
    runAsNode: fuses[FuseV1Options.RunAsNode],
    nodeOptions: fuses[FuseV1Options.EnableNodeOptionsEnvironmentVariable],
    nodeInspect: fuses[FuseV1Options.EnableNodeCliInspectArguments],
    onlyFromAsar: fuses[FuseV1Options.OnlyLoadAppFromAsar],
    fileProtocol: fuses[FuseV1Options.GrantFileProtocolExtraPrivileges],
    cookieEncryption: fuses[FuseV1Options.EnableCookieEncryption]
  };
  expect(states).toEqual({
    runAsNode: OFF,
    nodeOptions: OFF,
    nodeInspect: OFF,
    onlyFromAsar: ON,
    fileProtocol: OFF,
    cookieEncryption: ON
  });
});
