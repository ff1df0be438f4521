/**
 * The key chain of the system through Electron: only this user's session can decrypt what it encrypts. Without one
 * (Linux without a secret service: the key would be in the program) there is no cipher, and passwords are stored in files
 * that only their owner can read.
 */
import type { SafeStorage } from 'electron';
import type { PasswordCipher } from '../cluster/cluster-credentials.ts';

type KeyChain = Pick<
  SafeStorage,
  'isEncryptionAvailable' | 'encryptString' | 'decryptString' | 'getSelectedStorageBackend'
>;

/** Call once the application is ready. */
export function keyChainCipher(safeStorage: KeyChain, platform: NodeJS.Platform): PasswordCipher | undefined {
  if (!safeStorage.isEncryptionAvailable()) return undefined;
  const isPlain = platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text';
  if (isPlain) return undefined;
  return {
    encrypt: (text) => safeStorage.encryptString(text),
    decrypt: (bytes) => safeStorage.decryptString(bytes)
  };
}
